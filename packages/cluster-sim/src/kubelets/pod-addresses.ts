import type { Pod } from '@nodewright/apis';
import type { IndexBy } from '@nodewright/runtime';
import type { Watched } from '../control-plane/watched.ts';

const byAddress: IndexBy<Pod> = ({ status }) => (status?.podIP === undefined ? [] : [status.podIP]);

/** 100.64.0.0/10, which clusters give to pods that are to leave the addresses of their VPC alone. */
const addressCount = 2 ** 22;

/** An address that no known pod has: derived from the pod's uid, so that nothing has to be remembered. */
export function freePodAddress(pods: Watched<Pod>, uid: string): string {
  let candidate = Number.parseInt(uid.replaceAll('-', '').slice(0, 8), 16) % addressCount;
  while (pods.by(byAddress, printPodAddress(candidate)).length > 0) candidate = (candidate + 1) % addressCount;
  return printPodAddress(candidate);
}

const printPodAddress = (offset: number): string =>
  `100.${64 + (offset >>> 16)}.${(offset >>> 8) & 255}.${offset & 255}`;
