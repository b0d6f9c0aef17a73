"""Acts of users, their invitations and their sign-ins."""
