"""Where requests go."""

from django.urls import path
from shop import views

urlpatterns = [
    path("orders", views.orders),
    path("results/<str:result>", views.show),
]
