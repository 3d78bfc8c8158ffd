import type { KubernetesObject } from '@nodewright/apis';
import { nearestKey } from '@nodewright/requirements';
import type { FieldReader } from './field-reader.ts';
import { readPodLabels } from './read-behavior.ts';
import type { DeleteTarget, GivenPath, PatchTarget, ScenarioAction } from './scenario-file.ts';
import { findServedType, listServedKinds } from './served-types.ts';

/** `{deployment: default/web, replicas: 20}`. */
export function readScaleStep(field: FieldReader): ScenarioAction | undefined {
  const fields = field.fields(['deployment', 'statefulSet', 'replicas']);
  if (fields === undefined) return undefined;
  const { deployment, statefulSet, replicas } = fields;
  if (deployment.isMissing === statefulSet.isMissing)
    return field.hasMisspelt
      ? undefined
      : field.refuse('names no workload, or two; write deployment: NAMESPACE/NAME or statefulSet: NAMESPACE/NAME');
  const kind = deployment.isMissing ? 'StatefulSet' : 'Deployment';
  const key = readKey(deployment.isMissing ? statefulSet : deployment);
  const count = replicas.count(0);
  return key && count !== undefined ? { do: 'scale', kind, key, replicas: count } : undefined;
}

/** `default/web`; a name alone is in the namespace `default`. */
function readKey(field: FieldReader): { readonly namespace: string; readonly name: string } | undefined {
  const text = field.text('write NAMESPACE/NAME');
  if (text === undefined) return undefined;
  const [first = '', second, ...more] = text.split('/');
  if (more.length > 0 || first === '' || second === '') return field.want('write NAMESPACE/NAME');
  return second === undefined ? { namespace: 'default', name: first } : { namespace: first, name: second };
}

/** `{kind: NodePool, name: default}`, or `{kind: Pod, labels: {app: web}, count: 2}`. */
export function readDeleteTarget(field: FieldReader): DeleteTarget | undefined {
  const target = readPatchTarget(field, ['labels', 'count']);
  if (target === undefined) return undefined;
  const { name, ...others } = target;
  const [labels, count] = [field.field('labels'), field.field('count')];
  if (labels.isMissing && !count.isMissing) return count.refuse('goes with labels; name one object with name');
  if (labels.isMissing)
    return name === undefined ? field.field('name').want('write the name of the object') : { ...target, name };
  if (name !== undefined) return field.refuse('has name and labels; write one of them');
  const wanted = readPodLabels(labels);
  const most = count.isMissing ? undefined : count.count();
  return wanted && { ...others, labels: wanted, ...(most !== undefined && { count: most }) };
}

/** The object that is named; without a name it is about all objects of the kind. */
function readPatchTarget(field: FieldReader, more: readonly string[]): PatchTarget | undefined {
  const fields = field.fields(['kind', 'apiVersion', 'name', 'namespace', ...more]);
  const kindField = fields?.['kind'];
  const kind = kindField?.text('write a kind such as NodePool');
  if (fields === undefined || kind === undefined || kindField === undefined) return undefined;
  if (findServedType(kind) === undefined) return kindField.want(describeUnservedKind(kind));
  const others = (['name', 'apiVersion', 'namespace'] as const).flatMap((each) => {
    const text = fields[each]?.optionalText();
    return text === undefined ? [] : [[each, text] as const];
  });
  return { kind, ...Object.fromEntries(others) };
}

function describeUnservedKind(kind: string): string {
  const meant = nearestKey(kind, listServedKinds());
  return meant === undefined ? 'the cluster serves no such kind' : `did you mean ${meant}?`;
}

export function readPatch(field: FieldReader): ScenarioAction | undefined {
  const target = readPatchTarget(field, ['merge']);
  const merge = field.field('merge');
  if (!merge.isObject) return merge.want('write what changes, such as {spec: {weight: 10}}');
  return target && { do: 'patch', target, merge: merge.value as object };
}

/** A path, an object, or a list of both. */
export function readApply(field: FieldReader): ScenarioAction | undefined {
  const paths: GivenPath[] = [];
  const objects: KubernetesObject[] = [];
  for (const each of field.oneOrMore()) {
    if (each.isObject) objects.push(...(readInlineObject(each) ?? []));
    else if (each.text('write a path or an object') !== undefined)
      paths.push({ path: String(each.value), place: each.place });
  }
  const isWrong = field.oneOrMore().length > 0;
  if (paths.length + objects.length === 0 && isWrong) return undefined;
  if (paths.length + objects.length === 0) return field.want('write a path, or an object with apiVersion and kind');
  return { do: 'apply', paths, objects };
}

function readInlineObject(field: FieldReader): readonly KubernetesObject[] | undefined {
  const kind = field.field('kind').text('write the kind of the object');
  const apiVersion = field.field('apiVersion').text('write the version of the object, such as apps/v1');
  return kind === undefined || apiVersion === undefined ? undefined : [field.value as KubernetesObject];
}
