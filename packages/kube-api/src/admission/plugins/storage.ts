import { byTextOf, compareQuantities, inOrder, isQuantity, parseQuantity, readOwn, inReverse } from '@nodewright/apis';
import { forbiddenError } from '../../http/status-error.ts';
import { type ApiObject, changeMetadata } from '../../storage/api-object.ts';
import type { AdmissionAttributes, AdmissionView, WriteAttributes } from '../attributes.ts';

type Claim = {
  readonly spec?: {
    readonly storageClassName?: string;
    readonly resources?: { readonly requests?: { readonly storage?: string } };
  };
};

const storageClassCollection = 'storageclasses.storage.k8s.io';
const classAnnotation = 'volume.beta.kubernetes.io/storage-class';
const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** Adds the finalizer that keeps a new volume or claim while it is in use. */
export const protectStorage =
  (finalizer: string) =>
  ({ object, operation }: WriteAttributes): ApiObject => {
    const finalizers = object.metadata.finalizers ?? [];
    if (operation !== 'CREATE' || finalizers.includes(finalizer)) return object;
    return changeMetadata(object, { finalizers: [...finalizers, finalizer] });
  };

/** Gives a new claim without a class the default class. */
export function setDefaultStorageClass({ object, operation }: WriteAttributes, { store }: AdmissionView): ApiObject {
  const { spec } = object as Claim;
  if (operation !== 'CREATE' || spec?.storageClassName !== undefined) return object;
  if (object.metadata.annotations?.[classAnnotation] !== undefined) return object;
  const found = defaultObject(store.collection(storageClassCollection).list(), defaultAnnotations);
  return found === undefined ? object : { ...object, spec: { ...spec, storageClassName: found.metadata.name } };
}

/** Gives a new ingress without a class the default class. */
export function setDefaultIngressClass(attributes: WriteAttributes, { store }: AdmissionView): ApiObject {
  const { object, operation } = attributes;
  const spec = (object['spec'] ?? {}) as { readonly ingressClassName?: string };
  if (operation !== 'CREATE' || spec.ingressClassName !== undefined) return object;
  if (object.metadata.annotations?.['kubernetes.io/ingress.class'] !== undefined) return object;
  const classes = store.collection('ingressclasses.networking.k8s.io').list();
  const found = defaultObject(classes, ['ingressclass.kubernetes.io/is-default-class']);
  return found === undefined ? object : { ...object, spec: { ...spec, ingressClassName: found.metadata.name } };
}

/** Of several default objects the youngest, then the first by name. */
const defaultObject = (objects: readonly ApiObject[], annotations: readonly string[]): ApiObject | undefined =>
  objects
    .filter(({ metadata }) => annotations.some((name) => readOwn(metadata.annotations, name) === 'true'))
    .toSorted(youngestFirst)[0];

const youngestFirst = inOrder<ApiObject>(
  inReverse(byTextOf(({ metadata }) => metadata.creationTimestamp ?? '')),
  byTextOf(({ metadata }) => metadata.name),
);

/** Lets a claim grow only when its class allows it. Validation has refused one that is not bound. */
export function requireGrowableClaim(attributes: AdmissionAttributes, { store }: AdmissionView): void {
  const { resource, name, object, old, operation } = attributes;
  if (operation !== 'UPDATE' || !isLarger(object as Claim | undefined, old as Claim | undefined)) return;
  const className = (object as Claim | undefined)?.spec?.storageClassName ?? '';
  const found = store.collection(storageClassCollection).get({ namespace: '', name: className });
  if (found?.['allowVolumeExpansion'] === true) return;
  const because =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
  throw forbiddenError(resource, name, because);
}

function isLarger(after: Claim | undefined, before: Claim | undefined): boolean {
  const [wanted, present] = [after, before].map((claim) => claim?.spec?.resources?.requests?.storage);
  if (!isQuantity(wanted) || !isQuantity(present)) return false;
  return compareQuantities(parseQuantity(String(wanted)), parseQuantity(String(present))) > 0;
}
