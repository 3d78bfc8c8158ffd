import { type AmiFamily, type EC2NodeClass, isQuantity, readOwn } from '@nodewright/apis';
import type { KubeletExpressions } from '../node-settings/kubelet-expressions.ts';
import { amiFamilyOfNodeClass, toTexts } from '../node-settings/kubelet-settings.ts';
import { managedFields } from './kubelet-fields.ts';

type WrittenKubelet = NonNullable<EC2NodeClass['spec']['kubelet']>;

type ExpressionField = { readonly field: string; readonly text: string; readonly wanted: string };

/** Values of `spec.kubelet` that are expressions. */
function listExpressionFields({ maxPods, kubeReserved, systemReserved }: WrittenKubelet): readonly ExpressionField[] {
  const reserved = Object.entries({ kubeReserved, systemReserved }).flatMap(([field, map]) =>
    Object.entries(toTexts(map))
      .filter(([, text]) => !isQuantity(text))
      .map(([key, text]) => ({ field: `${field}[${key}]`, text, wanted: 'a quantity such as 100m or 1Gi' })),
  );
  return typeof maxPods === 'string'
    ? [{ field: 'maxPods', text: maxPods, wanted: 'a whole number' }, ...reserved]
    : reserved;
}

/** Expressions while the gate `NodeClassCEL` is off: nothing evaluates them. */
export function listDisabledExpressions(kubelet: WrittenKubelet = {}): readonly string[] {
  const found = listExpressionFields(kubelet).map(
    ({ field, text, wanted }) => `${printKubeletValue(field, text)}, wanted ${wanted}`,
  );
  return found.length === 0
    ? []
    : [...found, 'expressions need NodeClassCEL=true in AWS_FEATURE_GATES, and the gate is off'];
}

/** Expressions that are none, or give no number, whatever the instance type. */
export const listInvalidExpressions = (
  kubelet: WrittenKubelet = {},
  expressions: KubeletExpressions,
): readonly string[] =>
  listExpressionFields(kubelet).flatMap(({ field, text }) => {
    const complaint = expressions.complaint(text);
    return complaint === undefined ? [] : [`${printKubeletValue(field, text)}: ${complaint}`];
  });

const printKubeletValue = (field: string, value: string): string => `spec.kubelet.${field} is ${JSON.stringify(value)}`;

/** Members of `spec.kubelet` that nodes of the class's family cannot be given. */
export function listUnsupportedFields(nodeClass: EC2NodeClass): readonly string[] {
  const family = amiFamilyOfNodeClass(nodeClass);
  if (family === 'AL2023' || family === 'Custom') return [];
  const { kubelet = {} } = nodeClass.spec;
  const set = Object.keys(kubelet)
    .filter((name) => readOwn(kubelet, name) !== null && readOwn(kubelet, name) !== undefined)
    .toSorted();
  const { clusterDNS } = kubelet;
  const servers = Array.isArray(clusterDNS) ? clusterDNS.length : 0;
  return [
    ...set.filter((name) => !managedFields.has(name)).map((name) => describeUnsupported(name, family)),
    ...(servers > 1 ? [`spec.kubelet.clusterDNS has ${servers} addresses, ${family} takes one`] : []),
    ...(family === 'Bottlerocket' && set.includes('podsPerCore') ? [describeUnsupported('podsPerCore', family)] : []),
  ];
}

const describeUnsupported = (name: string, family: AmiFamily): string =>
  `spec.kubelet.${name} is not supported by ${family}; take it out, or use an image of AL2023`;
