import type { KubernetesObject } from '@nodewright/apis';
import type { InstallValues } from '../values/install-values.ts';

/** An object of an installation. */
export type InstallObject = KubernetesObject & Readonly<Record<string, unknown>>;

/** The labels that the pods are found by. They can never change in a Deployment. */
export const controllerLabels = ({ name }: InstallValues): Readonly<Record<string, string>> => ({
  'app.kubernetes.io/name': name,
});

/** The metadata of an object in the namespace of the installation. */
export const namespacedMetadata = (values: InstallValues) => ({
  name: values.name,
  namespace: values.namespace,
  labels: controllerLabels(values),
});

/** A record for an object; a member `__proto__` is a member as every other. */
export const recordOfTexts = (entries: ReadonlyMap<string, string>): Readonly<Record<string, string>> =>
  Object.fromEntries(entries);
