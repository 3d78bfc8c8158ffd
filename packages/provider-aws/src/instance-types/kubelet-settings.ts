import { type AmiFamily, type EC2NodeClass, isQuantity, readOwn } from '@nodewright/apis';
import { parseAlias } from '../images/release-paths.ts';

type Texts = Readonly<Record<string, string>>;

/** The members of `spec.kubelet` that have a say in what fits on a node. */
export type KubeletSettings = {
  readonly maxPods?: number;
  readonly podsPerCore?: number;
  readonly clusterDns?: readonly string[];
  readonly kubeReserved: Texts;
  readonly systemReserved: Texts;
  readonly evictionHard: Texts;
};

export function kubeletSettings({ spec }: EC2NodeClass): KubeletSettings {
  const { maxPods, podsPerCore, clusterDNS, kubeReserved, systemReserved, evictionHard } = spec.kubelet ?? {};
  return {
    ...(typeof maxPods === 'number' ? { maxPods } : {}),
    ...(typeof podsPerCore === 'number' && podsPerCore > 0 ? { podsPerCore } : {}),
    ...(Array.isArray(clusterDNS) ? { clusterDns: clusterDNS.map(String) } : {}),
    kubeReserved: quantities(kubeReserved),
    systemReserved: quantities(systemReserved),
    evictionHard: texts(evictionHard),
  };
}

export const texts = (value: unknown): Texts =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, text]) => [key, String(text)]))
    : {};

/** Texts that are no quantity may be expressions; those are not evaluated. */
const quantities = (value: unknown): Texts =>
  Object.fromEntries(Object.entries(texts(value)).filter(([, text]) => isQuantity(text)));

const familyOfAlias: Readonly<Record<string, AmiFamily>> = {
  al2: 'AL2',
  al2023: 'AL2023',
  bottlerocket: 'Bottlerocket',
  windows2019: 'Windows2019',
  windows2022: 'Windows2022',
  windows2025: 'Windows2025',
};

/** `spec.amiFamily`, else that of the alias, else `Custom`. */
export function familyOf({ spec }: EC2NodeClass): AmiFamily {
  const alias = spec.amiSelectorTerms.find((term) => term.alias !== undefined)?.alias;
  return (
    spec.amiFamily ?? (alias === undefined ? undefined : readOwn(familyOfAlias, parseAlias(alias).family)) ?? 'Custom'
  );
}

export const isWindows = (family: AmiFamily): boolean => family.startsWith('Windows');
