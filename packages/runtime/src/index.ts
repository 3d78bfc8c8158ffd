/**
 * What any controller needs and no controller is about: time, chance, the Kubernetes client,
 * watches that survive, queues, the host that runs reconcilers, logs, events and metrics.
 * It knows nothing about nodes.
 */
export type { CallGate, Clock, Ticket, Timer } from './clock.ts';
export type { HttpHeaders, HttpPeer, HttpRequest, HttpResponse, RequestHandler, Transport } from './http.ts';
export { ApiError } from './kubernetes-client.ts';
export type {
  DeleteOptions,
  KubernetesClient,
  KubernetesStatus,
  ListOptions,
  ObjectKey,
  Patch,
  Subresource,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './kubernetes-client.ts';
export type { Random } from './random.ts';
