import type { RequestHandler, ScaledTime } from '@nodewright/runtime';
import {
  certificateAuthority,
  kubeconfigText,
  leversHandler,
  listen,
  type Sandbox,
  type SandboxEndpoints,
} from '@nodewright/sandbox';

/** The sockets of a sandbox: the Kubernetes API over TLS, the AWS endpoints and the levers over plain HTTP. */
export type Doors = {
  readonly urls: { readonly kubernetes: string; readonly aws: string; readonly control: string };
  readonly endpoints: SandboxEndpoints;
  /** A kubeconfig for a cluster admin. */
  kubeconfig(clusterName: string): string;
  /** Until then every request waits. Without a time that can be moved there are no levers. */
  serve(what: { readonly world: { readonly sandbox: Sandbox }; readonly time?: ScaledTime }): void;
  close(): Promise<void>;
};

const day = 86_400_000;

/**
 * Binds the ports and makes the certificates, before the world that will answer exists.
 * @throws PortTakenError when a requested port is not free
 */
export async function openDoors(ports: { readonly kubernetesPort: number; readonly awsPort: number }): Promise<Doors> {
  const now = Date.now();
  const authority = await certificateAuthority({
    notBefore: new Date(now - day),
    notAfter: new Date(now + 3650 * day),
  });
  const server = await authority.server([
    '127.0.0.1',
    'localhost',
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
  ]);
  const admin = await authority.client({ commonName: 'kubernetes-admin', organizations: ['system:masters'] });
  const kubernetes = postponed();
  const aws = postponed();
  const control = postponed();
  const open = [
    await listen(kubernetes.handle, { port: ports.kubernetesPort, tls: { ...server, ca: authority.cert } }),
  ];
  const close = async (): Promise<void> => {
    await Promise.all(open.map((door) => door.close()));
  };
  try {
    open.push(await listen(aws.handle, { port: ports.awsPort }));
    open.push(await listen(control.handle, { port: 0 }));
  } catch (failure) {
    await close();
    throw failure;
  }
  const [kubernetesUrl = '', awsUrl = '', controlUrl = ''] = open.map(({ url }) => url);
  return {
    urls: { kubernetes: kubernetesUrl, aws: awsUrl, control: controlUrl },
    endpoints: { kubernetes: () => kubernetesUrl, certificateAuthority: authority.cert },
    kubeconfig: (name) => kubeconfigText({ name, server: kubernetesUrl, ca: authority.cert, client: admin }),
    serve({ world, time }) {
      kubernetes.become(world.sandbox.kubernetes.handle);
      aws.become(world.sandbox.aws.handle);
      if (time !== undefined) control.become(leversHandler({ time, aws: world.sandbox.aws }));
    },
    close,
  };
}

/** A handler whose requests wait until it is known who answers them. */
function postponed(): { readonly handle: RequestHandler; become(handler: RequestHandler): void } {
  let become: (handler: RequestHandler) => void = () => undefined;
  const known = new Promise<RequestHandler>((resolve) => (become = resolve));
  return { handle: async (request, signal) => (await known)(request, signal), become };
}
