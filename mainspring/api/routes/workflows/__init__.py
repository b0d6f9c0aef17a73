"""Routes of workflows and workflow runs."""
