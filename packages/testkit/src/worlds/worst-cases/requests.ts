import type { anApiServer } from '../in-process-api.ts';

export type Api = ReturnType<typeof anApiServer>;

/** A request that is as hard as its size allows: `size` counts the labels, items, operations it is made of. */
export type WorstCase = {
  readonly name: string;
  /** How many parts about fit into the 3 MiB that a body may have, or into another limit. */
  readonly largest: number;
  readonly run: (api: Api, size: number) => Promise<number>;
};

export const configMaps = '/api/v1/namespaces/default/configmaps';
export const pods = '/api/v1/namespaces/default/pods';
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export const record = (size: number, value: (index: number) => unknown = () => 'x'): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: size }, (_, index) => [`key-${index}`, value(index)]));
export const list = (size: number, item: (index: number) => unknown): readonly unknown[] =>
  Array.from({ length: size }, (_, index) => item(index));

export const configMap = (members: object): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  ...members,
});

export const labelled = (size: number): object => configMap({ metadata: { name: 'm', labels: record(size) } });
export const filled = (size: number): object => configMap({ metadata: { name: 'm' }, data: record(size) });
export const filledWith = (text: string): object => configMap({ metadata: { name: 'm' }, data: { text } });
export const as = (form: string): Readonly<Record<string, string>> => ({ 'content-type': `application/${form}` });
export const applyPath = (manager: string): string => `${configMaps}/m?fieldManager=${manager}`;

export const definition = (spec: object): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'lamps.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'lamps', kind: 'Lamp' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
      },
    ],
  },
});

export const lamp = (spec: unknown): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Lamp',
  metadata: { name: 'l' },
  spec,
});

export const pod = (spec: object): object => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec });
export const container = (members: object): object => ({ name: 'c', image: 'i', ...members });

/** Sends the requests one after the other; the answer of the last one. */
export async function inTurn(api: Api, ...requests: readonly Parameters<Api['send']>[]): Promise<number> {
  let status = 0;
  for (const request of requests) ({ status } = await api.send(...request));
  return status;
}

export const lamps = '/apis/example.com/v1/lamps';

/** Creates an object of a definition of its own. */
export const custom =
  (schema: object, spec: (size: number) => unknown) =>
  (api: Api, size: number): Promise<number> =>
    inTurn(api, ['POST', definitions, definition(schema)], ['POST', lamps, lamp(spec(size))]);

/** Every handler of the API server with the input that costs it the most. */

/** An object in an object in an object, built from the inside. */
export function nested(depth: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < depth; level += 1) value = { a: value };
  return value;
}
