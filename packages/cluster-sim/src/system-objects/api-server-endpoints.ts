import type { KubernetesClient } from '@nodewright/runtime';
import { unlessRefusedAs } from '../control-plane/refusals.ts';
import { endpoints, serviceSlices } from '../services/kinds.ts';

const apiServerNamespace = 'default';
const name = 'kubernetes';
const port = { name: 'https', port: 443, protocol: 'TCP' };

/** Tells where the API server is, as it does itself: the endpoints of the Service `default/kubernetes`. */
export async function createApiServerEndpoints(client: KubernetesClient, addresses: readonly string[]): Promise<void> {
  await unlessRefusedAs(
    'AlreadyExists',
    client.create(endpoints, {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name, namespace: apiServerNamespace, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
      subsets: [{ addresses: addresses.map((ip) => ({ ip })), ports: [port] }],
    }),
  );
  await unlessRefusedAs(
    'AlreadyExists',
    client.create(serviceSlices, {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name, namespace: apiServerNamespace, labels: { 'kubernetes.io/service-name': name } },
      addressType: 'IPv4',
      endpoints: addresses.map((address) => ({
        addresses: [address],
        conditions: { ready: true, serving: true, terminating: false },
      })),
      ports: [port],
    }),
  );
}
