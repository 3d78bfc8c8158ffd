import type { Pod } from '@nodewright/apis';
import { fits, type NodeFilter } from './filter.ts';

type HostPort = { readonly ip: string; readonly port: number; readonly protocol: string };

/** Passes nodes on which no other pod holds a port of the host that the pod wants. */
export function hostPortFilter(pod: Pod): NodeFilter {
  const wanted = hostPorts(pod);
  if (wanted.length === 0) return () => fits;
  return ({ pods }) => {
    const held = [...pods.values()].flatMap((placed) => hostPorts(placed.pod));
    const clashes = wanted.some((port) => held.some((other) => collide(port, other)));
    return clashes ? ["node(s) didn't have free ports for the requested pod ports"] : fits;
  };
}

function hostPorts({ spec }: Pod): readonly HostPort[] {
  const ports = spec.containers.flatMap((container) => container.ports ?? []);
  return ports.flatMap(({ hostPort = 0, containerPort, hostIP = '0.0.0.0', protocol = 'TCP' }) => {
    const port = hostPort === 0 && spec.hostNetwork === true ? containerPort : hostPort;
    return port === 0 ? [] : [{ ip: hostIP, port, protocol }];
  });
}

/** Every address of the host is the same as any of them. */
const collide = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port &&
  a.protocol === b.protocol &&
  (a.ip === b.ip || a.ip === '0.0.0.0' || b.ip === '0.0.0.0' || a.ip === '' || b.ip === '');
