import type { Pod } from '@nodewright/apis';

/** A port of the node that a pod takes for itself. */
export type HostPort = { readonly port: number; readonly protocol: string; readonly ip: string };

/** Ports of a pod's regular containers, on the network of the host all of them; no `hostIP` means all addresses. */
export function hostPortsOf({ spec }: Pick<Pod, 'spec'>): readonly HostPort[] {
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

const noPorts: readonly HostPort[] = [];

/** `9100/TCP`, after its address where it is not all of them. */
export const printedPort = ({ ip, port, protocol }: HostPort): string =>
  `${isUnspecified(ip) ? '' : `${ip}:`}${port}/${protocol}`;

const isUnspecified = (ip: string): boolean => ip === '0.0.0.0' || ip === '::';

const collide = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || isUnspecified(a.ip) || isUnspecified(b.ip));

/** The first wanted port that is taken already. */
export const takenPort = (wanted: readonly HostPort[], taken: readonly HostPort[]): HostPort | undefined =>
  wanted.find((port) => taken.some((other) => collide(port, other)));
