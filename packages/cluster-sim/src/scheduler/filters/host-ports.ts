import type { Pod } from '@nodewright/apis';
import { noRefusal, type SchedulerFilter } from './filter.ts';

type RequestedPort = { readonly ip: string; readonly port: number; readonly protocol: string };

/** Passes nodes on which no other pod holds a port of the host that the pod wants. */
export function hostPortFilter(pod: Pod): SchedulerFilter {
  const wanted = hostPorts(pod);
  if (wanted.length === 0) return () => noRefusal;
  return ({ pods }) => {
    const held = [...pods.values()].flatMap((placed) => hostPorts(placed.pod));
    const clashes = wanted.some((port) => held.some((other) => portsCollide(port, other)));
    return clashes ? ["node(s) didn't have free ports for the requested pod ports"] : noRefusal;
  };
}

function hostPorts({ spec }: Pod): readonly RequestedPort[] {
  const ports = spec.containers.flatMap((container) => container.ports ?? []);
  return ports.flatMap(({ hostPort = 0, containerPort, hostIP = '0.0.0.0', protocol = 'TCP' }) => {
    const port = hostPort === 0 && spec.hostNetwork === true ? containerPort : hostPort;
    return port === 0 ? [] : [{ ip: hostIP, port, protocol }];
  });
}

/** Every address of the host is the same as any of them. */
const portsCollide = (a: RequestedPort, b: RequestedPort): boolean =>
  a.port === b.port &&
  a.protocol === b.protocol &&
  (a.ip === b.ip || a.ip === '0.0.0.0' || b.ip === '0.0.0.0' || a.ip === '' || b.ip === '');
