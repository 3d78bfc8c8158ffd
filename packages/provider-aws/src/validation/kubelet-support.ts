import { type AmiFamily, type EC2NodeClass, isQuantity, readOwn } from '@nodewright/apis';
import { amiFamilyOfNodeClass, toTexts } from '../node-settings/kubelet-settings.ts';
import { managedFields } from './kubelet-fields.ts';

type WrittenKubelet = NonNullable<EC2NodeClass['spec']['kubelet']>;

/** Values of `spec.kubelet` that are expressions, which are not evaluated: the gate `NodeClassCEL` is off. */
export function listExpressionFields({
  maxPods,
  kubeReserved,
  systemReserved,
}: WrittenKubelet = {}): readonly string[] {
  const reserved = Object.entries({ kubeReserved, systemReserved }).flatMap(([field, map]) =>
    Object.entries(toTexts(map))
      .filter(([, value]) => !isQuantity(value))
      .map(([key, value]) => `${printKubeletValue(`${field}[${key}]`, value)}, wanted a quantity such as 100m or 1Gi`),
  );
  const pods = typeof maxPods === 'string' ? [`${printKubeletValue('maxPods', maxPods)}, wanted a whole number`] : [];
  const found = [...pods, ...reserved];
  return found.length === 0 ? [] : [...found, 'expressions need the feature gate NodeClassCEL, which is off'];
}

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
