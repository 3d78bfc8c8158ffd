import { type Container, type Instant, type Pod, readOwn } from '@nodewright/apis';
import type { ContainerSurroundings } from './shell/steps.ts';

type ContainerVariable = {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly fieldRef?: { readonly fieldPath: string } };
};

/** What a program in a container of a pod finds. Values from config maps and secrets are left out. */
export function surroundingsOf(pod: Pod, container: Container, now: () => Instant): ContainerSurroundings {
  const hostname = pod.spec.hostNetwork === true ? (pod.spec.nodeName ?? '') : (pod.spec.hostname ?? pod.metadata.name);
  return {
    hostname,
    environment: environmentOf(pod, container, hostname),
    files: containerFiles(pod, container, hostname),
    kernel: { release: '6.1.0', architecture: 'x86_64' },
    now,
  };
}

const apiServerAddress = '10.100.0.1';

function environmentOf(pod: Pod, container: Container, hostname: string): Readonly<Record<string, string>> {
  const variables = (container as Container & { readonly env?: readonly ContainerVariable[] }).env ?? [];
  const usual = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOSTNAME: hostname,
    KUBERNETES_SERVICE_HOST: apiServerAddress,
    KUBERNETES_SERVICE_PORT: '443',
    KUBERNETES_SERVICE_PORT_HTTPS: '443',
    KUBERNETES_PORT: `tcp://${apiServerAddress}:443`,
    HOME: '/root',
  };
  const own = variables.map(({ name, value, valueFrom }): [string, string] => [
    name,
    value ?? fieldOf(pod, valueFrom?.fieldRef?.fieldPath ?? ''),
  ]);
  const known: Record<string, string> = { ...usual, ...Object.fromEntries(own) };
  const resolved = own.map(([name, value]): [string, string] => [name, withReferences(value, known)]);
  return { ...usual, ...Object.fromEntries(resolved) };
}

/** `$(NAME)` in a value stands for another variable. */
const withReferences = (value: string, known: Readonly<Record<string, string>>): string =>
  value.replaceAll(/\$\(([A-Za-z0-9_.-]+)\)/g, (all, name: string) => readOwn(known, name) ?? all);

function fieldOf({ metadata, spec, status }: Pod, path: string): string {
  const [, member, key = ''] = /^metadata\.(labels|annotations)\['([^']+)'\]$/.exec(path) ?? [];
  if (member === 'labels') return readOwn(metadata.labels, key) ?? '';
  if (member === 'annotations') return readOwn(metadata.annotations, key) ?? '';
  const fields: Readonly<Record<string, string | undefined>> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace,
    'metadata.uid': metadata.uid,
    'spec.nodeName': spec.nodeName,
    'spec.serviceAccountName': (spec as { readonly serviceAccountName?: string }).serviceAccountName,
    'status.podIP': status?.podIP,
    'status.hostIP': status?.hostIP,
  };
  return readOwn(fields, path) ?? '';
}

function containerFiles(
  { metadata, status }: Pod,
  { image = '' }: Container,
  hostname: string,
): Readonly<Record<string, string>> {
  const namespace = metadata.namespace ?? '';
  return {
    '/etc/hostname': `${hostname}\n`,
    '/etc/hosts': `127.0.0.1\tlocalhost\n${status?.podIP ?? ''}\t${hostname}\n`,
    '/etc/os-release': osRelease(image),
    '/etc/resolv.conf': `search ${namespace}.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.100.0.10\noptions ndots:5\n`,
    '/var/run/secrets/kubernetes.io/serviceaccount/namespace': namespace,
  };
}

/** The system that an image is made of, as far as its name tells. */
function osRelease(image: string): string {
  const [, name, id, version] =
    imageSystems.find(([part]) => image.includes(part)) ?? (['', 'Debian GNU/Linux', 'debian', '12'] as const);
  return `NAME="${name}"\nVERSION_ID="${version}"\nID=${id}\nPRETTY_NAME="${name} ${version}"\n`;
}

const imageSystems = [
  ['alpine', 'Alpine Linux', 'alpine', '3.20.0'],
  ['amazonlinux', 'Amazon Linux', 'amzn', '2023'],
  ['ubuntu', 'Ubuntu', 'ubuntu', '24.04'],
  ['bottlerocket', 'Bottlerocket', 'bottlerocket', '1.20.0'],
] as const;
