/**
 * What any controller needs and no controller is about: time, chance, the Kubernetes client,
 * watches that survive, queues, the host that runs reconcilers, logs, events and metrics.
 * It knows nothing about nodes.
 */
export type { CallGate, Clock, Ticket, Timer } from './clock.ts';
export { describeDefect, HandlerDefect } from './handler-defect.ts';
export { mostBodyBytes, mostTargetLength } from './http.ts';
export type {
  ByteConnection,
  HttpHeaders,
  HttpPeer,
  HttpRequest,
  HttpResponse,
  RequestHandler,
  Serving,
  Transport,
} from './http.ts';
export { ConnectionError } from './connection-error.ts';
export { startController } from './controllers/controller.ts';
export type { Controller, ControllerOptions, LoggingReconciler, Reconciler } from './controllers/controller.ts';
export { controllerMetrics } from './controllers/controller-watch.ts';
export type { ControllerLoad, ControllerWatch } from './controllers/controller-watch.ts';
export { startLoop } from './controllers/loop.ts';
export type { Loop, LoopOptions } from './controllers/loop.ts';
export { backOff, recheckAt, requeueAfter, restAndPoll, settled } from './controllers/result.ts';
export type { Result } from './controllers/result.ts';
export { Heap } from './time/heap.ts';
export { StandstillError } from './time/standstill.ts';
export { startInformer } from './informer/informer.ts';
export type { ChangeHandler, Informer } from './informer/informer.ts';
export { listAll } from './informer/list-all.ts';
export { objectKeyText, parseKey } from './informer/object-key.ts';
export type { IndexBy } from './informer/store.ts';
export type { NumberedObject } from './kubernetes/manifests.ts';
export { ManifestError, parseManifests, parseNumbered } from './kubernetes/manifests.ts';
export { collectionPath, createPath, objectPath } from './kubernetes/paths.ts';
export { kubernetesClient } from './kubernetes/rest-client.ts';
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
export { startEventRecorder } from './observability/event-recorder.ts';
export type { EventRecorder, EventReport } from './observability/event-recorder.ts';
export { Fifo } from './queues/fifo.ts';
export { startLeaderElection } from './leadership/leader-election.ts';
export { createLogger, silentLogger } from './observability/logger.ts';
export type { LogFields, Logger, LogLevel } from './observability/logger.ts';
export { createTextServer, serveTexts } from './observability/text-server.ts';
export type { TextRoutes, TextServer } from './observability/text-server.ts';
export { durationBuckets } from './observability/duration-buckets.ts';
export { createMetrics, silentMetrics } from './observability/metrics.ts';
export type { Metrics, MetricOptions } from './observability/metrics.ts';
export type { Random } from './random.ts';
export { seededRandom } from './seeded-random.ts';
export { followedTime } from './time/followed-time.ts';
export { limitTime } from './time/limit-time.ts';
export { realTime } from './time/real-time.ts';
export { sleepOn } from './time/sleep.ts';
export { scaledTime } from './time/scaled-time.ts';
export type { ClockStatus, ScaledTime } from './time/scaled-time.ts';
export { virtualTime } from './time/virtual-time.ts';
export type { VirtualTime } from './time/virtual-time.ts';
export { kubeConfigCluster, kubeConfigTransport } from './transport/kubeconfig-transport.ts';
export type { KubeConfigCluster } from './transport/kubeconfig-transport.ts';
export { endOnAbort } from './transport/abort.ts';
export { proxyFor } from './transport/proxy.ts';
export { proxyAgents, type ProxyAgents } from './transport/proxy-agents.ts';
export { createWebClient, unreachableWeb } from './transport/web-client.ts';
export type { WebAnswer, WebClient, WebRequest } from './transport/web-client.ts';
export { createTracer } from './tracing/tracer.ts';
export type { Tracer } from './tracing/tracer.ts';
export { startSpanExporter } from './tracing/span-exporter.ts';
export { tracedTransport } from './tracing/traced-transport.ts';
export { severableTransport } from './transport/severable-transport.ts';
export { documentResponse, documentStream, withHeaders } from './transport/known-document.ts';
export { inProcessTransport } from './transport/in-process-transport.ts';
export { forgetfulJournal } from './state/journal.ts';
export type { Journal } from './state/journal.ts';
export type { Ledger, Storage } from './state/ledger.ts';
export { forgetfulLedger, tellingLedger } from './state/ledger.ts';
export { keepUnderPrefix } from './state/keep-under-prefix.ts';
export { LineLedger } from './state/line-ledger.ts';
export { readState } from './state/state-reading.ts';
export type { DamagedRecord, KeptState, StateLine, StateReading } from './state/state-reading.ts';
export { formatRecord, writeRecord } from './state/state-record.ts';
export { StorageError } from './state/storage-error.ts';
export type { StorageProblem } from './state/storage-error.ts';
export type { BucketOptions } from './queues/rate-limit.ts';
