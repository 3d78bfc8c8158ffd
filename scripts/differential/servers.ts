import { createApiServer } from '@nodewright/kube-api';
import { type HttpRequest, type HttpResponse, kubeConfigTransport, realTime, seededRandom } from '@nodewright/runtime';

/** A server under test, whichever it is. */
export type TestedServer = {
  readonly name: 'ours' | 'real';
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
};

const administrator = {
  clientCertificate: { commonName: 'admin', organizations: ['system:masters'], fingerprint: '00' },
};

/**
 * The embedded API server alone, in this process: no controller and no kubelet writes to it. The statuses that it keeps
 * itself instead of kube-controller-manager, which does not run beside the real server either, stay empty.
 */
export function openEmbeddedServer(version: string): TestedServer {
  const { clock } = realTime();
  const server = createApiServer({ clock, random: seededRandom('differential'), version, keepsStatuses: false });
  return { name: 'ours', send: (request, signal) => server.handle({ ...request, peer: administrator }, signal) };
}

/** The server of a kubeconfig, with its credentials. They have to be those of an administrator. */
export async function openRealServer(file: string): Promise<TestedServer> {
  const transport = await kubeConfigTransport({ file });
  return { name: 'real', send: (request, signal) => transport.send(request, { ticket: 0, signal }) };
}
