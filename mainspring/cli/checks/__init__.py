"""What `mainspring doctor` looks at: each module gathers facts of one kind and says what they mean."""
