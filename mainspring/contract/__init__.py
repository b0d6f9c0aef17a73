"""The surface, written once: every JSON body and view, for the API and for its clients."""
