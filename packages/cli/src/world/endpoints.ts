import { days } from '@nodewright/apis';
import type { HttpRequest, ScaledTime } from '@nodewright/runtime';
import { certificateAuthority, createTokenKey, type KeyPair, kubeconfigText } from '@nodewright/kube-api';
import { listenOn, type Listening, type Sandbox, type SandboxEndpoints } from '@nodewright/sandbox';
import { listenAt } from './lasting-port.ts';
import { awsForClients, controlForClients, type OutsideOptions } from './outside-handlers.ts';
import { postponedHandler } from './postponed-handler.ts';
import { printDefect } from './print-defect.ts';

export type Ports = { readonly kubernetes: number; readonly aws: number; readonly control: number };

/** PEM texts: who signs, what the Kubernetes API shows, and what its admin does. */
export type Certificates = {
  readonly ca: string;
  readonly server: KeyPair;
  readonly admin: KeyPair;
  /** Signs the tokens of service accounts. None in a directory of an earlier release. */
  readonly tokenKey?: string;
};

/** The sockets of a sandbox: the Kubernetes API over TLS, the AWS endpoints and the control API over plain HTTP. */
export type OpenEndpoints = {
  readonly ports: Ports;
  readonly certificates: Certificates;
  readonly urls: { readonly kubernetes: string; readonly aws: string; readonly control: string };
  readonly endpoints: SandboxEndpoints;
  /** A kubeconfig for a cluster admin. */
  kubeconfig(clusterName: string): string;
  /** Until then every request waits. Without `control` nothing answers at the control API. */
  serve(what: ServedWorld): void;
  close(): Promise<void>;
};

type ServedWorld = {
  readonly world: { readonly sandbox: Sandbox };
  readonly control?: ControlEndpoint;
  /** Is told of every request to the Kubernetes API before it is answered. */
  readonly onKubernetesRequest?: (request: HttpRequest) => void;
};

export type EndpointOptions = {
  /** A port 0 is any free one. */
  readonly ports?: Ports;
  /** Whether a later start needs the same ports [false]. */
  readonly keepsPorts?: boolean;
  /** Those of an earlier start; new ones without. */
  readonly certificates?: Certificates;
  /** Names beside the loopback ones under which clients reach the AWS endpoints and the control API. */
  readonly allowedHosts?: readonly string[];
};

/** The time that the control API moves, and what it asks of its clients. */
type ControlEndpoint = Pick<OutsideOptions, 'credentials'> & { readonly time: ScaledTime };

/**
 * Binds the ports and makes the certificates, before the world that will answer exists.
 * @throws PortTakenError when a requested port is not free
 */
export async function openEndpoints(options: EndpointOptions = {}): Promise<OpenEndpoints> {
  const { allowedHosts = [] } = options;
  const known = options.certificates ?? (await newCertificates());
  const certificates = { ...known, tokenKey: known.tokenKey ?? createTokenKey() };
  const { ca, server, admin, tokenKey } = certificates;
  const kubernetes = postponedHandler();
  const aws = postponedHandler();
  const control = postponedHandler();
  const wanted = options.ports ?? { kubernetes: 0, aws: 0, control: 0 };
  const isKept = options.keepsPorts ?? false;
  const tls = { ...server, ca };
  const [kubernetesListener, awsListener, controlListener] = await listenAll([
    () =>
      listenAt({ port: wanted.kubernetes, isKept }, (port) =>
        listenOn(kubernetes.handle, { port, tls, onDefect: printDefect }),
      ),
    () => listenAt({ port: wanted.aws, isKept }, (port) => listenOn(aws.handle, { port, onDefect: printDefect })),
    () =>
      listenAt({ port: wanted.control, isKept }, (port) => listenOn(control.handle, { port, onDefect: printDefect })),
  ]);
  const { url } = kubernetesListener;
  return {
    ports: { kubernetes: kubernetesListener.port, aws: awsListener.port, control: controlListener.port },
    certificates,
    urls: { kubernetes: url, aws: awsListener.url, control: controlListener.url },
    endpoints: { kubernetes: () => url, certificateAuthority: ca, tokenKey },
    kubeconfig: (name) => kubeconfigText({ name, server: url, ca, client: admin }),
    serve({ world: { sandbox }, control: clientControl, onKubernetesRequest }) {
      kubernetes.become((request, ...rest) => {
        onKubernetesRequest?.(request);
        return sandbox.handleClusters(request, ...rest);
      });
      aws.become(awsForClients(sandbox.aws, allowedHosts));
      if (clientControl === undefined) return;
      const { time, credentials } = clientControl;
      control.become(controlForClients({ time, aws: sandbox.aws }, { credentials, allowedHosts }));
    },
    close: () => closeAll([kubernetesListener, awsListener, controlListener]),
  };
}

type Three<T> = readonly [T, T, T];

/** All or none. */
async function listenAll(opening: Three<() => Promise<Listening>>): Promise<Three<Listening>> {
  const open: Listening[] = [];
  try {
    for (const listenNext of opening) open.push(await listenNext());
    return open as unknown as Three<Listening>;
  } catch (failure) {
    await closeAll(open);
    throw failure;
  }
}

async function closeAll(listeners: readonly Listening[]): Promise<void> {
  await Promise.all(listeners.map((listener) => listener.close()));
}

const hosts = ['127.0.0.1', 'localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];

async function newCertificates(): Promise<Certificates> {
  const now = Date.now();
  const authority = await certificateAuthority({
    notBefore: new Date(now - days(1)),
    notAfter: new Date(now + days(3650)),
  });
  return {
    ca: authority.cert,
    server: await authority.server(hosts),
    admin: await authority.client({ commonName: 'kubernetes-admin', organizations: ['system:masters'] }),
  };
}
