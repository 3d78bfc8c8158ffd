import type { FoundImage } from '@nodewright/ports';

type Variant = NonNullable<FoundImage['variant']>;

/** A public SSM parameter that holds the id of an image, and what kind of image that is. */
export type ReleasePath = {
  readonly path: string;
  readonly arch: FoundImage['arch'];
  /** None for images that are for every type of their architecture. */
  readonly variant?: Variant;
  /** Where the releases of a moving parameter have parameters of their own; Windows has none. */
  readonly tree?: string;
  /** What the images of the line are named in EC2, and who publishes them. */
  readonly images: { readonly name: string; readonly owner: string };
};

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
    case 'ubuntu':
      return ubuntuPaths(version, kubernetesVersion);
    default:
      return windowsPaths(family, kubernetesVersion);
  }
}

const amazon = 'amazon';
const canonicalOwner = '099720109477';
const eks = '/aws/service/eks/optimized-ami';

function al2Paths(version: string, minor: string): readonly ReleasePath[] {
  const line = (folder: string, prefix: string): Pick<ReleasePath, 'path' | 'tree' | 'images'> => {
    const release = version === 'latest' ? 'recommended' : `${prefix}-${minor}-${version}`;
    const tree = `${eks}/${minor}/${folder}`;
    return { path: `${tree}/${release}/image_id`, tree, images: { name: `${prefix}-${minor}-v*`, owner: amazon } };
  };
  const gpu = line('amazon-linux-2-gpu', 'amazon-eks-gpu-node');
  return [
    { ...line('amazon-linux-2', 'amazon-eks-node'), arch: 'amd64', variant: 'standard' },
    { ...line('amazon-linux-2-arm64', 'amazon-eks-arm64-node'), arch: 'arm64', variant: 'standard' },
    { ...gpu, arch: 'amd64', variant: 'nvidia' },
    { ...gpu, arch: 'amd64', variant: 'neuron' },
  ];
}

function al2023Paths(version: string, minor: string): readonly ReleasePath[] {
  const line = (machine: string, variant: Variant): Pick<ReleasePath, 'path' | 'tree' | 'images' | 'variant'> => {
    const prefix = `amazon-eks-node-al2023-${machine}-${variant}-${minor}`;
    const tree = `${eks}/${minor}/amazon-linux-2023/${machine}/${variant}`;
    const release = version === 'latest' ? 'recommended' : `${prefix}-${version}`;
    return { path: `${tree}/${release}/image_id`, tree, variant, images: { name: `${prefix}-v*`, owner: amazon } };
  };
  return [
    { ...line('x86_64', 'standard'), arch: 'amd64' },
    { ...line('arm64', 'standard'), arch: 'arm64' },
    { ...line('x86_64', 'nvidia'), arch: 'amd64' },
    { ...line('arm64', 'nvidia'), arch: 'arm64' },
    { ...line('x86_64', 'neuron'), arch: 'amd64' },
  ];
}

function bottlerocketPaths(version: string, minor: string): readonly ReleasePath[] {
  const release = version.replace(/^v+/, '');
  const line = (flavor: string, machine: string): Pick<ReleasePath, 'path' | 'tree' | 'images'> => {
    const tree = `/aws/service/bottlerocket/aws-k8s-${minor}${flavor}/${machine}`;
    const name = `bottlerocket-aws-k8s-${minor}${flavor}-${machine === 'arm64' ? 'aarch64' : machine}-v*`;
    return { path: `${tree}/${release}/image_id`, tree, images: { name, owner: amazon } };
  };
  const standard = line('', 'x86_64');
  return [
    { ...standard, arch: 'amd64', variant: 'standard' },
    { ...standard, arch: 'amd64', variant: 'neuron' },
    { ...line('', 'arm64'), arch: 'arm64', variant: 'standard' },
    { ...line('-nvidia', 'x86_64'), arch: 'amd64', variant: 'nvidia' },
    { ...line('-nvidia', 'arm64'), arch: 'arm64', variant: 'nvidia' },
  ];
}

/** Only the Core edition, and only its newest release, has a parameter. */
function windowsPaths(family: string, minor: string): readonly ReleasePath[] {
  const year = /^windows(\d{4})$/.exec(family)?.[1];
  if (year === undefined) return [];
  const name = `Windows_Server-${year}-English-Core-EKS_Optimized-${minor}`;
  const path = `/aws/service/ami-windows-latest/${name}/image_id`;
  return [{ path, arch: 'amd64', images: { name: `${name}-*`, owner: amazon } }];
}

/** 20.04 as long as Canonical built it for EKS, then 24.04. */
function ubuntuPaths(version: string, minor: string): readonly ReleasePath[] {
  const isFocal = Number(minor.split('.')[1]) <= 32;
  const system = isFocal ? { number: '20.04', name: 'focal', volume: 'ebs-gp2' } : noble;
  const release = version === 'latest' ? 'current' : version.replace(/^v/, '');
  return (['amd64', 'arm64'] as const).map((arch) => {
    const tree = `/aws/service/canonical/ubuntu/eks/${system.number}/${minor}/stable`;
    const name = `ubuntu-eks/k8s_${minor}/images/*/ubuntu-${system.name}-${system.number}-${arch}-server-*`;
    const path = `${tree}/${release}/${arch}/hvm/${system.volume}/ami-id`;
    return { path, tree, arch, images: { name, owner: canonicalOwner } };
  });
}

const noble = { number: '24.04', name: 'noble', volume: 'ebs-gp3' } as const;

/** Whether a parameter beside a moving one holds the image of a release of the same line. */
export function isRelease(name: string, { path, tree = '' }: ReleasePath): boolean {
  if (name === path || !name.startsWith(`${tree}/`)) return false;
  const [release = '', ...leaf] = name.slice(tree.length + 1).split('/');
  const [, ...ownLeaf] = path.slice(tree.length + 1).split('/');
  // Bottlerocket promotes `1.42.0-5ed15786` to `1.42.0`; until then it is not out.
  return release !== 'recommended' && release !== 'latest' && release !== 'current' && leaf.join() === ownLeaf.join();
}

/** Bottlerocket's long form of a release, which comes before the short one: `1.42.0-5ed15786`. */
export const isUnpromotedForm = (name: string): boolean => /\/\d+\.\d+\.\d+-[0-9a-f]{8}\/image_id$/.test(name);

/** The version in the name of a release's parameter, as an alias would pin it. */
export function versionOfPath(name: string, { tree = '' }: ReleasePath): string | undefined {
  const [release = ''] = name.slice(tree.length + 1).split('/');
  return /^\d+\.\d+\.\d+(?=$|-[0-9a-f]{8}$)|^\d{8}$/.exec(release)?.[0] ?? versionOfName(release);
}

/** The version that an image's name carries, as an alias would pin it; `undefined` for a name of another form. */
export const versionOfName = (name: string): string | undefined =>
  versionForms.map((form) => form.exec(name)?.[1]).find((version) => version !== undefined);

const versionForms = [
  /^amazon-eks-.*-(v\d{8})$/,
  /^bottlerocket-.*-v(\d+\.\d+\.\d+)-[0-9a-f]{8}$/,
  /^Windows_Server-.*-EKS_Optimized-.*-(\d{4}\.\d\d\.\d\d)$/,
  /^ubuntu-eks\/.*-server-(\d{8})$/,
];

/** The Kubernetes minor that a release's image is named after. */
export const minorOfName = (name: string): string | undefined =>
  versionOfName(name) === undefined ? undefined : /[-_](1\.\d+)(?=[-/])/.exec(name)?.[1];
