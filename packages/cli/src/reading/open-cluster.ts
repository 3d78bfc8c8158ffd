import type { Instant } from '@nodewright/apis';
import {
  createLogger,
  kubeConfigCluster,
  type KubernetesClient,
  kubernetesClient,
  realTime,
} from '@nodewright/runtime';
import { type ControllerTime, controllerTime } from '../controller/sandbox-clock.ts';
import type { ClusterFlags } from './cluster-flags.ts';
import { refuseKubeconfig } from './refuse-kubeconfig.ts';

/** A cluster at one moment of its own time. */
export type OpenCluster = {
  readonly client: KubernetesClient;
  readonly now: Instant;
  readonly time: ControllerTime;
};

/**
 * Opens the cluster of the kubeconfig, does the work, and lets go of it.
 * @throws InputError when there is no such kubeconfig or clock
 */
export async function withCluster<T>(flags: ClusterFlags, work: (cluster: OpenCluster) => Promise<T>): Promise<T> {
  const { clock: clockUrl = process.env['NODEWRIGHT_SANDBOX'], kubeconfig, context } = flags;
  const { transport } = await kubeConfigCluster({
    ...(kubeconfig === undefined ? {} : { file: kubeconfig }),
    ...(context === undefined ? {} : { context }),
  }).catch((failure: unknown) => {
    throw refuseKubeconfig(failure, kubeconfig);
  });
  const time = await controllerTime(clockUrl === '' ? undefined : clockUrl, () => quiet);
  try {
    const client = kubernetesClient({ transport, gate: realTime().gate, userAgent: 'nodewright' });
    return await work({ client, now: time.clock.now(), time });
  } finally {
    time.stop();
  }
}

const quiet = createLogger({ clock: realTime().clock, sink: { write: () => undefined }, level: 'error' });
