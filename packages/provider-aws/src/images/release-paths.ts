import type { FoundImage } from '@nodewright/ports';

type Variant = NonNullable<FoundImage['variant']>;

/** A public SSM parameter that holds the id of an image, and what kind of image that is. */
export type ReleasePath = { readonly path: string; readonly arch: FoundImage['arch']; readonly variant: Variant };

/** `family@version`: `al2@latest`, `bottlerocket@v1.20.0`. */
export type Alias = { readonly family: string; readonly version: string };

export function parseAlias(alias: string): Alias {
  const [family = '', version = 'latest'] = alias.split('@');
  return { family, version };
}

/** Every path that an alias stands for on a Kubernetes minor version; none for a family that is not known. */
export function releasePaths({ family, version }: Alias, kubernetesVersion: string): readonly ReleasePath[] {
  switch (family) {
    case 'al2':
      return al2Paths(version, kubernetesVersion);
    case 'al2023':
      return al2023Paths(version, kubernetesVersion);
    case 'bottlerocket':
      return bottlerocketPaths(version, kubernetesVersion);
    default:
      return [];
  }
}

function al2Paths(version: string, minor: string): readonly ReleasePath[] {
  const pathOf = (tree: string, name: string): string => {
    const release = version === 'latest' ? 'recommended' : `${name}-${minor}-${version}`;
    return `/aws/service/eks/optimized-ami/${minor}/${tree}/${release}/image_id`;
  };
  const gpu = pathOf('amazon-linux-2-gpu', 'amazon-eks-gpu-node');
  return [
    { path: pathOf('amazon-linux-2', 'amazon-eks-node'), arch: 'amd64', variant: 'standard' },
    { path: pathOf('amazon-linux-2-arm64', 'amazon-eks-arm64-node'), arch: 'arm64', variant: 'standard' },
    { path: gpu, arch: 'amd64', variant: 'nvidia' },
    { path: gpu, arch: 'amd64', variant: 'neuron' },
  ];
}

function al2023Paths(version: string, minor: string): readonly ReleasePath[] {
  const pathOf = (arch: string, variant: Variant): string => {
    const release =
      version === 'latest' ? 'recommended' : `amazon-eks-node-al2023-${arch}-${variant}-${minor}-${version}`;
    return `/aws/service/eks/optimized-ami/${minor}/amazon-linux-2023/${arch}/${variant}/${release}/image_id`;
  };
  return [
    { path: pathOf('x86_64', 'standard'), arch: 'amd64', variant: 'standard' },
    { path: pathOf('arm64', 'standard'), arch: 'arm64', variant: 'standard' },
    { path: pathOf('x86_64', 'nvidia'), arch: 'amd64', variant: 'nvidia' },
    { path: pathOf('arm64', 'nvidia'), arch: 'arm64', variant: 'nvidia' },
    { path: pathOf('x86_64', 'neuron'), arch: 'amd64', variant: 'neuron' },
  ];
}

function bottlerocketPaths(version: string, minor: string): readonly ReleasePath[] {
  const release = version.replace(/^v+/, '');
  const pathOf = (flavor: string, arch: string): string =>
    `/aws/service/bottlerocket/aws-k8s-${minor}${flavor}/${arch}/${release}/image_id`;
  return [
    { path: pathOf('', 'x86_64'), arch: 'amd64', variant: 'standard' },
    { path: pathOf('', 'x86_64'), arch: 'amd64', variant: 'neuron' },
    { path: pathOf('', 'arm64'), arch: 'arm64', variant: 'standard' },
    { path: pathOf('-nvidia', 'x86_64'), arch: 'amd64', variant: 'nvidia' },
    { path: pathOf('-nvidia', 'arm64'), arch: 'arm64', variant: 'nvidia' },
  ];
}

/** The version that an image's name carries, as an alias would pin it; `undefined` for a name of another form. */
export function versionOfName(name: string): string | undefined {
  const eks = /^amazon-eks-.*-(v\d{8})$/.exec(name)?.[1];
  return eks ?? /^bottlerocket-.*-v(\d+\.\d+\.\d+)-[0-9a-f]{8}$/.exec(name)?.[1];
}
