/**
 * The Kubernetes API server of the embedded EKS, reached through one request handler: storage with
 * resource versions, schemas and validation, patches and server-side apply, watches, tables,
 * discovery and OpenAPI, authentication and RBAC. It knows nothing of AWS, nodes or controllers.
 */
export type { ApiServer, ApiServerOptions, ObjectWrite } from './api-server.ts';
export { createApiServer } from './api-server.ts';
export type { DirectLink, DirectRequest } from './direct/direct-link.ts';
export { openLink } from './direct/direct-link.ts';
export { createDirectClient } from './direct/direct-client.ts';
export {
  type CallWebhook,
  unreadableAnswer,
  type WebhookAnswer,
  type WebhookRequest,
} from './admission/webhook-calls.ts';
export type { PodCredentials } from './admission/pod-credentials.ts';
export type { KeyPair } from './auth/x509-authority.ts';
export { certificateAuthority } from './auth/certificates.ts';
export { createTokenKey } from './auth/tokens/signing-key.ts';
export { kubeconfigText } from './auth/kubeconfig.ts';
export { groupResource } from './resources/served-kind.ts';
export { servedKinds } from './resources/served.generated.ts';
export { parseYamlWithinLimits } from './schema/depth.ts';
export { customResourceRefusals } from './schema/custom-resource-refusals.ts';
export type { JsonValue, JsonObject } from './schema/json.ts';
export { isObject } from './schema/json.ts';
export type { User } from './auth/user.ts';
export type { PodLogOptions, PodLogs } from './server/world.ts';
export type { KubeletPages } from './server/kubelet-pages.ts';
export type { PodPrograms } from './streams/pod-programs.ts';
export type { ApiObject } from './storage/api-object.ts';
export { storedKeyOf, keyText } from './storage/api-object.ts';
export { parseLabelSelectorQuery } from './selectors/label-selector.ts';
export type { StoreSnapshot } from './storage/store.ts';
export type { ResourceUsage } from './resources/resource-usage.ts';
export { isDeviceSelected } from './schema/cel/device-selectors.ts';
