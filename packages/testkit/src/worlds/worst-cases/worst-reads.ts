import { configMaps, list, filled, inTurn, type WorstCase } from './requests.ts';

/** Lists, watches, reviews and paths. */
export const worstReads: readonly WorstCase[] = [
  {
    name: 'list: label selector',
    largest: 1_500,
    run: (api, size) => inTurn(api, ['GET', `${configMaps}?labelSelector=${list(size, (at) => `k${at}`).join(',')}`]),
  },
  {
    name: 'list: set of a label selector',
    largest: 1_500,
    run: (api, size) =>
      inTurn(api, ['GET', `${configMaps}?labelSelector=a%20in%20(${list(size, (at) => `k${at}`).join(',')})`]),
  },
  {
    name: 'list: field selector',
    largest: 1_500,
    run: (api, size) =>
      inTurn(api, ['GET', `${configMaps}?fieldSelector=${list(size, (at) => `metadata.name!=n${at}`).join(',')}`]),
  },
  {
    name: 'list: a table of one large object',
    largest: 150_000,
    run: (api, size) =>
      inTurn(
        api,
        ['POST', configMaps, filled(size)],
        ['GET', configMaps, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }],
      ),
  },
  {
    name: 'list: YAML',
    largest: 150_000,
    run: (api, size) =>
      inTurn(api, ['POST', configMaps, filled(size)], ['GET', configMaps, undefined, { accept: 'application/yaml' }]),
  },
  {
    name: 'watch: one large object',
    largest: 150_000,
    run: async (api, size) => {
      const { close } = await api.watch(`${configMaps}?watch=true`);
      const status = await inTurn(api, ['POST', configMaps, filled(size)]);
      close();
      return status;
    },
  },
  {
    name: 'review: a long token',
    largest: 3_000_000,
    run: (api, size) =>
      inTurn(api, ['POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: 'x'.repeat(size) } }]),
  },
  {
    name: 'review: groups of a subject',
    largest: 150_000,
    run: (api, size) =>
      inTurn(api, [
        'POST',
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        {
          spec: {
            user: 'u',
            groups: list(size, (at) => `g${at}`),
            resourceAttributes: { verb: 'get', resource: 'pods' },
          },
        },
      ]),
  },
  { name: 'a long path', largest: 8_000, run: (api, size) => inTurn(api, ['GET', `/${'a/'.repeat(size)}`]) },
];
