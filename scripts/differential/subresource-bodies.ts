import type { TestedKind } from './kinds.ts';
import { listObjectNames, objectOf, testNamespace } from './paths.ts';
import type { JsonMap, Place, Step } from './step.ts';

/** A request to a subresource whose members are walked. */
export type SubresourceBody = {
  readonly step: Step;
  /** The kind whose schema the body has. */
  readonly schema: Pick<TestedKind, 'apiVersion' | 'kind'>;
  readonly object: JsonMap;
  /** The parts that the subresource reads. */
  readonly below: Place;
};

type Written = { readonly kind: TestedKind; readonly path: string; readonly name: string };

const json = { contentType: 'application/json' };

/** A write of the stored object with one part changed. */
const writesPart =
  (below: Place, change: JsonMap = {}) =>
  ({ kind, path }: Written, name: string): SubresourceBody => ({
    step: { ...json, verb: `update ${name}`, kind: kind.kind, method: 'PUT', path, current: path },
    schema: kind,
    object: { ...kind.objects[0], ...change },
    below,
  });

/** A request with a body of another kind. */
const sends =
  (verb: string, schema: SubresourceBody['schema'], body: JsonMap, below: Place) =>
  ({ kind, path, name }: Written): SubresourceBody => ({
    step: { ...json, verb, kind: kind.kind, method: 'POST', path },
    schema,
    object: { ...schema, metadata: { name, namespace: testNamespace }, ...body },
    below,
  });

const debugged = { ephemeralContainers: [{ name: 'd', image: 'i' }] };
const approved = { conditions: [{ type: 'Approved', status: 'True', reason: 'Fine' }] };

const bySubresource: Readonly<Record<string, (written: Written, name: string) => SubresourceBody>> = {
  approval: writesPart(['status'], { status: approved }),
  ephemeralcontainers: (written, name) => {
    const body = writesPart(['spec', 'ephemeralContainers'])(written, name);
    return { ...body, object: { ...body.object, spec: { ...(body.object['spec'] as JsonMap), ...debugged } } };
  },
  resize: writesPart(['spec', 'containers', 0, 'resources']),
  scale: ({ kind, path, name }) => ({
    step: { ...json, verb: 'update scale', kind: kind.kind, method: 'PUT', path, current: path },
    schema: { apiVersion: 'autoscaling/v1', kind: 'Scale' },
    object: { metadata: { name, namespace: testNamespace }, spec: { replicas: 1 } },
    below: [],
  }),
  eviction: sends('evict', { apiVersion: 'policy/v1', kind: 'Eviction' }, {}, []),
  binding: sends('bind', { apiVersion: 'v1', kind: 'Binding' }, { target: { kind: 'Node', name: 'n' } }, ['target']),
  token: sends('token', { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' }, { spec: {} }, ['spec']),
};

/** The subresources of the kind that are written, with a body that is taken. Nothing of them is kept. */
export function listSubresourceBodies(kind: TestedKind): readonly SubresourceBody[] {
  const name = listObjectNames(kind)[0] ?? 'a';
  return kind.subresources.flatMap((subresource) => {
    const path = `${objectOf(kind, name)}/${subresource}?dryRun=All`;
    const make = Object.hasOwn(bySubresource, subresource) ? bySubresource[subresource] : undefined;
    return make === undefined ? [] : [make({ kind, path, name }, subresource)];
  });
}
