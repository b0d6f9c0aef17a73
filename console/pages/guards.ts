// The pages of breakers, limits and alerts, as one part.
export { Alerts } from "./alerts/alerts.tsx";
export { Breaker } from "./guards/breaker.tsx";
export { Breakers } from "./guards/breakers.tsx";
export { Limits } from "./guards/limits.tsx";
