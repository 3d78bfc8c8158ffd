import { type AmiFamily, type EC2NodeClass, isQuantity, readOwn } from '@nodewright/apis';
import { parseAlias } from '../found/images/release-paths.ts';

type WrittenKubelet = Readonly<Record<string, unknown>>;
type TextMembers = Readonly<Record<string, string>>;

/** The members of `spec.kubelet` that have a say in what fits on a node. */
export type KubeletSettings = {
  readonly maxPods?: number;
  readonly podsPerCore?: number;
  readonly clusterDns?: readonly string[];
  readonly kubeReserved: TextMembers;
  readonly systemReserved: TextMembers;
  readonly evictionHard: TextMembers;
};

export function readKubeletSettings({ spec }: EC2NodeClass): KubeletSettings {
  const { maxPods, podsPerCore, clusterDNS, kubeReserved, systemReserved, evictionHard } = spec.kubelet ?? {};
  return {
    ...(typeof maxPods === 'number' ? { maxPods } : {}),
    ...(typeof podsPerCore === 'number' && podsPerCore > 0 ? { podsPerCore } : {}),
    ...(Array.isArray(clusterDNS) ? { clusterDns: clusterDNS.map(String) } : {}),
    kubeReserved: toQuantityTexts(kubeReserved),
    systemReserved: toQuantityTexts(systemReserved),
    evictionHard: toTexts(evictionHard),
  };
}

export const toTexts = (value: unknown): TextMembers =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, text]) => [key, String(text)]))
    : {};

/** Whether a value of `spec.kubelet` is an expression: those are resolved for each instance type. */
export const hasKubeletExpressions = ({ maxPods, kubeReserved, systemReserved }: WrittenKubelet): boolean =>
  typeof maxPods === 'string' ||
  [kubeReserved, systemReserved].some((map) => Object.values(toTexts(map)).some((text) => !isQuantity(text)));

/** Texts that are no quantity may be expressions. */
const toQuantityTexts = (value: unknown): TextMembers =>
  Object.fromEntries(Object.entries(toTexts(value)).filter(([, text]) => isQuantity(text)));

const amiFamilyByAliasWord: Readonly<Record<string, AmiFamily>> = {
  al2: 'AL2',
  al2023: 'AL2023',
  bottlerocket: 'Bottlerocket',
  windows2019: 'Windows2019',
  windows2022: 'Windows2022',
  windows2025: 'Windows2025',
};

/** `spec.amiFamily`, else that of the alias, else `Custom`. */
export function amiFamilyOfNodeClass({ spec }: EC2NodeClass): AmiFamily {
  const alias = spec.amiSelectorTerms.find((term) => term.alias !== undefined)?.alias;
  return (
    spec.amiFamily ??
    (alias === undefined ? undefined : readOwn(amiFamilyByAliasWord, parseAlias(alias).family)) ??
    'Custom'
  );
}

export const isWindowsFamily = (family: AmiFamily): boolean => family.startsWith('Windows');
