import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { annotationOf, withAnnotations } from '../annotations.ts';
import { convertToVersion } from '../convert.ts';
import { awsAnnotations, karpenterAnnotations, nodewrightAnnotations } from '../labels.ts';
import {
  type FieldDifference,
  listFieldDifferences,
  parseFieldDifferences,
  restoreFields,
} from './field-differences.ts';

type VersionedObject = KubernetesObject & { readonly spec?: unknown };

/**
 * A NodePool, NodeClaim or EC2NodeClass in another version, with an annotation that holds what this version has no
 * field for.
 *
 * Guarantees:
 * - Spec, labels and annotations come back as they were when the object is converted back unchanged. The annotations
 *   that conversions write may stay.
 * - A field that was changed in between keeps its new value; the other fields get theirs back.
 * - The converted object differs from that of `convertToVersion` in what comes back, and in one annotation.
 *
 * Assumptions: the object keeps its annotations while it is in the other version. An annotation whose text cannot be
 * read is ignored: otherwise the API server could not read the object at all.
 *
 * Errors: as `convertToVersion`.
 */
export function convertWithoutLoss(object: KubernetesObject, apiVersion: string): KubernetesObject {
  const { apiVersion: former = '' } = object;
  if (former === apiVersion) return object;
  const returning = annotationForFields(apiVersion);
  const source = withAnnotations(object, { [returning]: undefined });
  const converted = restoreCarriedFields(convertToVersion(source, apiVersion), annotationOf(object, returning));
  const back = convertToVersion(converted, former);
  const lost = listFieldDifferences(convertedParts(back), convertedParts(source));
  const leaving = annotationForFields(former);
  return withAnnotations(converted, { [leaving]: lost.length === 0 ? undefined : JSON.stringify(lost) });
}

const annotationForFields = (apiVersion: string): string =>
  apiVersion.endsWith('/v1') ? nodewrightAnnotations.v1Fields : nodewrightAnnotations.v1beta1Fields;

/** What conversions write down for themselves; it says nothing about the object. */
const conversionNotes: ReadonlySet<string> = new Set([
  karpenterAnnotations.v1beta1Kubelet,
  karpenterAnnotations.v1beta1NodeClassReference,
  awsAnnotations.v1AliasVersion,
  awsAnnotations.v1beta1Ubuntu,
  nodewrightAnnotations.v1Fields,
  nodewrightAnnotations.v1beta1Fields,
]);

/** What a conversion may change. Both versions have the same status. */
function convertedParts({ metadata, spec }: VersionedObject) {
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([name]) => !conversionNotes.has(name));
  return { annotations: Object.fromEntries(annotations), spec };
}

/** Any client may write the annotation: it reaches fields of the spec, and annotations that are texts. */
function isCarriedField(difference: FieldDifference): boolean {
  const [part, ...rest] = difference.at;
  if (part === 'spec') return rest.length > 0;
  if (part !== 'annotations' || rest.length !== 1 || 'items' in difference) return false;
  return difference.is === undefined || typeof difference.is === 'string';
}

function restoreCarriedFields(object: VersionedObject, carried: string | undefined): KubernetesObject {
  const differences = parseFieldDifferences(carried)?.filter(isCarriedField);
  if (differences === undefined) return object;
  const { annotations: own = {} } = object.metadata;
  const { annotations, spec } = restoreFields({ annotations: own, spec: object.spec }, differences) as {
    readonly annotations: Readonly<Record<string, string>>;
    readonly spec?: unknown;
  };
  const restored = {
    ...object,
    metadata: { ...object.metadata, annotations },
    ...(spec === undefined ? {} : { spec }),
  };
  return withAnnotations(restored, {});
}
