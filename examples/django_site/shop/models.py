"""What the shop remembers."""

from django.db import models


class Order(models.Model):
    customer = models.EmailField()
    confirmed = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"order {self.pk} of {self.customer}"
