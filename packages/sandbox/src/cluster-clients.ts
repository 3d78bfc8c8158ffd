import {
  type CallGate,
  type HttpPeer,
  inProcessTransport,
  type KubernetesClient,
  kubernetesClient,
} from '@nodewright/runtime';
import { type ApiServer, createDirectClient, type User } from '@nodewright/kube-api';

/** Over the wire protocol, or on the objects of the server, which costs far less and tracks no owners of fields. */
export type ClientWay = 'wire' | 'direct';

type Certificate = NonNullable<HttpPeer['clientCertificate']>;

/** The identity of a client of the API server, and the server as it reaches it. */
type SandboxCaller = {
  readonly peer?: { readonly clientCertificate: Certificate };
  readonly server?: Pick<ApiServer, 'handle' | 'operate' | 'version'>;
};

export type ClientFactory = (userAgent: string, caller?: SandboxCaller) => KubernetesClient;

const clusterAdmin = { clientCertificate: { commonName: 'kubernetes-admin', organizations: ['system:masters'] } };

/** EKS inside the cluster. The cluster role of that name says what it may do. */
export const nodeManagerPeer = { clientCertificate: { commonName: 'eks:node-manager', organizations: [] } };

export const nodeCaller = (name: string): SandboxCaller => ({
  peer: { clientCertificate: { commonName: `system:node:${name}`, organizations: ['system:nodes'] } },
});

/** Clients in this process. Without a caller they are cluster admins and reach the API server directly. */
export const clientsOf =
  ({ gate, way }: { readonly gate: CallGate; readonly way: ClientWay }, kubernetes: ApiServer): ClientFactory =>
  (userAgent, { peer = clusterAdmin, server = kubernetes } = {}) => {
    if (way === 'direct') return createDirectClient(server, { gate, name: userAgent, user: userOfPeer(peer) });
    return kubernetesClient({ transport: inProcessTransport(gate, server.handle, { peer }), gate, userAgent });
  };

const userOfPeer = ({ clientCertificate }: { readonly clientCertificate: Certificate }): User => ({
  name: clientCertificate.commonName,
  groups: [...clientCertificate.organizations, 'system:authenticated'],
});
