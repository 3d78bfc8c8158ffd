import { configMaps, daemonSets, definitionObjects, deployments, services } from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { ClusterControlPlane } from '../control-plane/control-plane.ts';
import type { ClusterControllerOptions, Stoppable } from '../control-plane/controller-options.ts';
import { unlessGone, unlessRefusedAs } from '../control-plane/refusals.ts';
import { runServiceEndpoints } from '../services/service-endpoints.ts';
import { runAutoscaling } from '../workloads/autoscaling/autoscaling.ts';
import { addOnImage, type FollowingAddOn, isAddOnImage } from './add-on-images.ts';
import { createApiServerEndpoints } from './api-server-endpoints.ts';
import { corednsConfig, dnsDeployment, dnsService, dnsServiceAccount, serviceAccountKind } from './dns-manifests.ts';
import { networkDefinitions } from './network-definitions.ts';
import { runPlayedPods } from './played-pods.ts';

/** Runs the endpoints of services and the autoscaling of workloads, and plays the pods of the cluster's DNS. */
export function startClusterServices(options: ClusterControllerOptions): Stoppable {
  const control = new ClusterControlPlane(options);
  runServiceEndpoints(control);
  runPlayedPods(control);
  runAutoscaling(control);
  control.open();
  return control;
}

/** Runs the endpoints of services alone, for a cluster without DNS and autoscaling. */
export function startServiceEndpoints(options: ClusterControllerOptions): Stoppable {
  const control = new ClusterControlPlane(options);
  runServiceEndpoints(control);
  control.open();
  return control;
}

/** Makes the DNS of the cluster, the endpoints of its API server and the kinds of its network; what is there stays as it is. */
export async function createClusterServices(
  client: KubernetesClient,
  { kubernetesVersion, addresses }: { readonly kubernetesVersion: string; readonly addresses: readonly string[] },
): Promise<void> {
  await createApiServerEndpoints(client, addresses);
  for (const definition of networkDefinitions) {
    await unlessRefusedAs('AlreadyExists', client.create(definitionObjects, definition));
  }
  await unlessRefusedAs('AlreadyExists', client.create(serviceAccountKind, dnsServiceAccount));
  await unlessRefusedAs('AlreadyExists', client.create(configMaps, corednsConfig));
  await unlessRefusedAs('AlreadyExists', client.create(services, dnsService));
  await unlessRefusedAs('AlreadyExists', client.create(deployments, dnsDeployment(kubernetesVersion)));
}

/** Gives coredns and kube-proxy the images of a version of the control plane. An image that a user has set stays. */
export async function updateAddOns(client: KubernetesClient, kubernetesVersion: string): Promise<void> {
  await updateImage(client, deployments, 'coredns', kubernetesVersion);
  await updateImage(client, daemonSets, 'kube-proxy', kubernetesVersion);
}

async function updateImage(
  client: KubernetesClient,
  type: typeof deployments | typeof daemonSets,
  name: FollowingAddOn,
  kubernetesVersion: string,
): Promise<void> {
  const key = { namespace: 'kube-system', name };
  const found = type === deployments ? await client.get(deployments, key) : await client.get(daemonSets, key);
  const image = found?.spec.template.spec.containers[0]?.image;
  const wanted = addOnImage(name, kubernetesVersion);
  if (image === wanted || !isAddOnImage(name, image)) return;
  const patch = { spec: { template: { spec: { containers: [{ name, image: wanted }] } } } };
  if (type === deployments) await unlessGone(client.patch(deployments, key, { type: 'strategic', patch }));
  else await unlessGone(client.patch(daemonSets, key, { type: 'strategic', patch }));
}
