"""What happens in the background."""

try:
    from django.tasks import task
except ImportError:
    from django_tasks import task

from shop.models import Order


@task(queue_name="mail", priority=50)
def confirm(order: int) -> str:
    found = Order.objects.get(pk=order)
    found.confirmed = True
    found.save()
    return f"{found} is confirmed"


@task
async def count() -> int:
    return await Order.objects.filter(confirmed=True).acount()


@task(takes_context=True)
def fail_first(context) -> int:
    """Fail once, then succeed."""
    if context.attempt == 1:
        raise Order.DoesNotExist("not yet")
    return context.attempt
