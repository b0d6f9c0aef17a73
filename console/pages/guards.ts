// The pages of breakers, limits and alerts, as one part.
export { Alerts } from "./guards/alerts.tsx";
export { Breaker, Breakers } from "./guards/breakers.tsx";
export { Limits } from "./guards/limits.tsx";
