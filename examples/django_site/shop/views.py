"""The shop's pages, for programs."""

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from shop import tasks
from shop.models import Order

try:
    from django.tasks import default_task_backend
    from django.tasks.exceptions import TaskResultDoesNotExist
except ImportError:
    from django_tasks import default_task_backend
    from django_tasks.exceptions import TaskResultDoesNotExist


@csrf_exempt
def orders(request: HttpRequest) -> HttpResponse:
    """POST places an order; with `fail` it is taken back at the last moment. GET counts those confirmed."""
    if request.method == "GET":
        return JsonResponse({"result": tasks.count.enqueue().id})
    with transaction.atomic():
        order = Order.objects.create(customer=request.POST["customer"])
        result = tasks.confirm.enqueue(order.pk)
        if request.POST.get("fail"):
            transaction.set_rollback(True)
    return JsonResponse({"order": order.pk, "result": result.id}, status=202)


def show(_request: HttpRequest, result: str) -> HttpResponse:
    try:
        found = default_task_backend.get_result(result)
    except TaskResultDoesNotExist:
        raise Http404 from None
    value = found.return_value if found.is_finished and not found.errors else None
    return JsonResponse({"status": found.status, "value": value, "attempts": found.attempts})
