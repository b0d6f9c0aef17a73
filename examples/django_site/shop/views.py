"""The shop's pages, for programs."""

from django.conf import settings
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from shop import tasks
from shop.models import Order

try:
    from django.tasks import TaskResultStatus, default_task_backend
    from django.tasks.exceptions import TaskResultDoesNotExist
except ImportError:
    from django_tasks import TaskResultStatus, default_task_backend
    from django_tasks.exceptions import TaskResultDoesNotExist


@csrf_exempt
def orders(request: HttpRequest) -> HttpResponse:
    """POST places an order; with `fail` one transaction takes it back at the last moment. GET counts those confirmed."""
    if request.method == "GET":
        return JsonResponse({"result": tasks.count.enqueue().id})
    order, result = place(request.POST["customer"], fail="fail" in request.POST)
    return JsonResponse({"order": order, "result": result}, status=202)


def place(customer: str, *, fail: bool) -> tuple[int, str]:
    """Where the servers have another database, an executor may start before a transaction of ours ends: enqueue after it."""
    if not settings.ONE_DATABASE:
        order = Order.objects.create(customer=customer)
        return order.pk, tasks.confirm.enqueue(order.pk).id
    with transaction.atomic():
        order = Order.objects.create(customer=customer)
        result = tasks.confirm.enqueue(order.pk)
        transaction.set_rollback(fail)
    return order.pk, result.id


def show(_request: HttpRequest, result: str) -> HttpResponse:
    try:
        found = default_task_backend.get_result(result)
    except TaskResultDoesNotExist:
        raise Http404 from None
    value = found.return_value if found.status == TaskResultStatus.SUCCESSFUL else None
    return JsonResponse({"status": found.status, "value": value, "attempts": found.attempts})
