import { readOwn } from '@nodewright/apis';
import type { JsonObject, JsonValue } from '../schema/json.ts';
import { schemaPrefix } from './definition-names.ts';

const discoveryPrefix = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
const versionInfoName = 'io.k8s.apimachinery.pkg.version.Info';

const schemaOfType = (name: string): JsonObject => ({ $ref: `${schemaPrefix}${name}` });
const discoveryPart = (name: string): JsonObject => ({
  default: {},
  allOf: [schemaOfType(`${discoveryPrefix}${name}`)],
});
const discoveryListOf = (items: JsonObject): JsonObject => ({
  type: 'array',
  items,
  'x-kubernetes-list-type': 'atomic',
});
const textSchemaOfRoot: JsonObject = { type: 'string' };
const emptyTextSchema: JsonObject = { type: 'string', default: '' };

const typedDiscovery = (kind: string, required: readonly string[], properties: JsonObject): JsonObject => ({
  type: 'object',
  required: [...required],
  properties: { apiVersion: textSchemaOfRoot, kind: textSchemaOfRoot, ...properties },
  'x-kubernetes-group-version-kind': [{ group: '', kind, version: 'v1' }],
});

const addressMembers = { serverAddressByClientCIDRs: discoveryListOf(discoveryPart('ServerAddressByClientCIDR')) };

const discoveryTypes: Readonly<Record<string, JsonObject>> = {
  APIGroup: typedDiscovery('APIGroup', ['name', 'versions'], {
    name: emptyTextSchema,
    preferredVersion: discoveryPart('GroupVersionForDiscovery'),
    versions: discoveryListOf(discoveryPart('GroupVersionForDiscovery')),
    ...addressMembers,
  }),
  APIGroupList: typedDiscovery('APIGroupList', ['groups'], { groups: discoveryListOf(discoveryPart('APIGroup')) }),
  APIVersions: typedDiscovery('APIVersions', ['versions', 'serverAddressByClientCIDRs'], {
    versions: discoveryListOf(emptyTextSchema),
    ...addressMembers,
  }),
  GroupVersionForDiscovery: {
    type: 'object',
    required: ['groupVersion', 'version'],
    properties: { groupVersion: emptyTextSchema, version: emptyTextSchema },
  },
  ServerAddressByClientCIDR: {
    type: 'object',
    required: ['clientCIDR', 'serverAddress'],
    properties: { clientCIDR: emptyTextSchema, serverAddress: emptyTextSchema },
  },
};

const infoMembers = 'major minor gitVersion gitCommit gitTreeState buildDate goVersion compiler platform'.split(' ');

const infoType: JsonObject = {
  type: 'object',
  required: infoMembers,
  properties: Object.fromEntries(infoMembers.map((name) => [name, emptyTextSchema])),
};

type RootDocument = {
  readonly tag: string;
  readonly operation: string;
  /** The types of the document, that of the answer first; none where the answer is a text. */
  readonly types: readonly string[];
  readonly contentTypes: readonly string[];
};

const encodingsOfObjects = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/yaml'];

const fixedDocuments: Readonly<Record<string, RootDocument>> = {
  api: {
    tag: 'core',
    operation: 'getCoreAPIVersions',
    types: ['APIVersions', 'ServerAddressByClientCIDR'],
    contentTypes: encodingsOfObjects,
  },
  apis: {
    tag: 'apis',
    operation: 'getAPIVersions',
    types: ['APIGroupList', 'APIGroup', 'GroupVersionForDiscovery', 'ServerAddressByClientCIDR'],
    contentTypes: encodingsOfObjects,
  },
  version: {
    tag: 'version',
    operation: 'getCodeVersion',
    types: [versionInfoName],
    contentTypes: ['application/json'],
  },
  'openid/v1/jwks': {
    tag: 'openid',
    operation: 'getServiceAccountIssuerOpenIDKeyset',
    types: [],
    contentTypes: ['application/jwk-set+json'],
  },
  '.well-known/openid-configuration': {
    tag: 'WellKnown',
    operation: 'getServiceAccountIssuerOpenIDConfiguration',
    types: [],
    contentTypes: ['application/json'],
  },
};

/** The places of the documents that are about no resource: the roots of the API, and each built-in group. */
export const rootPlaces = (groups: readonly string[]): readonly string[] => [
  ...Object.keys(fixedDocuments),
  ...groups.map((group) => `apis/${group}`),
];

/** The paths and components of such a document. */
export function rootDocument(place: string): JsonObject {
  const { tag, operation, types, contentTypes } = readOwn(fixedDocuments, place) ?? documentOfGroup(place);
  const schemas = Object.fromEntries(
    types.map((name) => [
      name === versionInfoName ? name : `${discoveryPrefix}${name}`,
      readOwn(discoveryTypes, name) ?? infoType,
    ]),
  );
  const [answer] = Object.keys(schemas);
  const schema = answer === undefined ? textSchemaOfRoot : schemaOfType(answer);
  const content = Object.fromEntries(contentTypes.map((type): [string, JsonValue] => [type, { schema }]));
  const responses = { '200': { description: 'OK', content }, '401': { description: 'Unauthorized' } };
  return {
    paths: { [`/${place}/`]: { get: { tags: [tag], operationId: operation, responses } } },
    components: answer === undefined ? {} : { schemas },
  };
}

/** `rbac.authorization.k8s.io` has the tag `rbacAuthorization`. */
function documentOfGroup(place: string): RootDocument {
  const words = place.replace('apis/', '').replace('.k8s.io', '').split('.');
  const capital = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return {
    tag: capital.charAt(0).toLowerCase() + capital.slice(1),
    operation: `get${capital}APIGroup`,
    types: ['APIGroup', 'GroupVersionForDiscovery', 'ServerAddressByClientCIDR'],
    contentTypes: encodingsOfObjects,
  };
}
