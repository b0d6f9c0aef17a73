"""An executor's hello: checked, admitted and answered."""
