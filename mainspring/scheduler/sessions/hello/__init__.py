"""What an executor says when it connects: checked, admitted and answered."""
