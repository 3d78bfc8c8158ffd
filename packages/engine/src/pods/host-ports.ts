import type { Pod } from '@nodewright/apis';

/** A port of the node that a pod takes for itself. */
export type PodHostPort = { readonly port: number; readonly protocol: string; readonly ip: string };

/** Ports of a pod's regular containers, on the network of the host all of them; no `hostIP` means all addresses. */
export function hostPortsOf({ spec }: Pick<Pod, 'spec'>): readonly PodHostPort[] {
  if (spec.containers.every(({ ports }) => ports === undefined)) return noPorts;
  return spec.containers
    .flatMap((container) => container.ports ?? [])
    .map(({ containerPort, hostPort = 0, protocol = 'TCP', hostIP = '' }) => ({
      port: hostPort === 0 && spec.hostNetwork === true ? containerPort : hostPort,
      protocol,
      ip: hostIP === '' ? '0.0.0.0' : hostIP,
    }))
    .filter(({ port }) => port !== 0);
}

const noPorts: readonly PodHostPort[] = [];

/** `9100/TCP`, after its address where it is not all of them. */
export const printedPort = ({ ip, port, protocol }: PodHostPort): string =>
  `${isUnspecified(ip) ? '' : `${ip}:`}${port}/${protocol}`;

const isUnspecified = (ip: string): boolean => ip === '0.0.0.0' || ip === '::';

const doPortsCollide = (a: PodHostPort, b: PodHostPort): boolean =>
  a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || isUnspecified(a.ip) || isUnspecified(b.ip));

/** The first wanted port that is taken already. */
export const takenPort = (wanted: readonly PodHostPort[], taken: readonly PodHostPort[]): PodHostPort | undefined =>
  wanted.find((port) => taken.some((other) => doPortsCollide(port, other)));
