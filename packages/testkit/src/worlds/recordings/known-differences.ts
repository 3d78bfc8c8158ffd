/** Rows of the recordings that are not answered as recorded, by section, each with the reason. */
export type Differences = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const build = 'names another build, address or set of components';
const controllers = 'shows what controllers of the recorded cluster wrote meanwhile';
const history = 'needs the history of the recorded server, which the tests of lists cover';
const rows = 'the recorded rows do not hold the objects they were made from';
const stream = 'a stream, which the tests of watches cover';
const truncated = 'the recording holds the beginning of the body only';
const unchecked = "checks of this kind's values are not all there yet";
const undecoded = 'values of a wrong type are not refused while decoding';
const unseen = 'needs objects that were made between the recorded requests and that no answer shows';
const wording = 'says or does it in another way';

export const knownDifferences: Differences = {
  crd: {
    [unchecked]: [
      '422-crd-messageexpression-cost',
      '422-crd-cel-cost',
      '422-crd-default-invalid',
      '422-crd-bad-printercolumn',
      '422-conversion-webhook-incomplete',
    ],
    [wording]: [
      '429-right-after-create',
      'crd-delete',
      'openapi-v3',
      '422-cr-type',
      '422-cr-float-for-int',
      '422-cr-many',
      '422-cr-wrong-kind',
      '400-cr-no-kind',
      '422-crd-cel-compile',
      '422-crd-bad-version-name',
      '422-crd-change-group',
    ],
    [stream]: ['establish-watch', 'cr-watch', 'crd-delete-watch'],
    [unseen]: [
      '422-cr-cel-transition',
      '422-cr-cel-optionaloldself',
      '422-ratchet-changed',
      'cr-cel-transition-unset-ok',
      'cr-status-patch',
      'multi-update-new',
      'multi-storage-switch',
      'ratchet-unchanged-invalid-ok',
      'crd-terminating',
      '403-cr-create-while-crd-terminating',
    ],
  },
  expired: {
    [wording]: ['after-compaction-continue-from-cache'],
    [stream]: [
      'after-compaction-watch-from-cache',
      'watch-too-old',
      'watch-rv-1',
      'watch-too-old-bookmarks',
      'watch-too-old-table',
    ],
    [unseen]: ['watch-cr-right-after-restart', 'watch-too-old-cr'],
  },
  errors: {
    [wording]: [
      '422-type-error-int',
      'patch-strict-unknown',
      '422-pod-update-immutable',
      '422-pod-put-immutable',
      'timeout-query-get',
    ],
    [truncated]: ['413-too-large', '422-configmap-too-long'],
    [stream]: ['200-watch-bool'],
    [unseen]: [
      'limitrange-defaulted-pod',
      '403-limitrange-max',
      '201-fieldvalidation-ignore',
      'pod-log-no-node',
      'pod-exec-get-400',
    ],
    [undecoded]: ['400-timeout-param-bad'],
  },
  lists: {
    [history]: [
      'page1',
      'page2',
      'page3-last',
      'limit-zero',
      'limit-larger',
      'limit-negative',
      'rv0',
      'rv0-limit',
      'exact-rv',
      'notolder-rv',
      'rv-limit-nomatch',
      'all-namespaces',
      'deletecollection-dryrun',
      'deletecollection',
    ],
  },
  deletion: {
    [stream]: ['fin-watch', 'gc-background-watch', 'gc-foreground-watch', 'gc-orphan-watch', 'pod-bound-watch'],
    [unseen]: [
      'delete-query-params',
      'delete-preconditions-ok',
      'gc-foreground-delete',
      'gc-orphan-delete',
      'pod-unbound-delete',
      'pod-succeeded-delete',
      'node-delete',
      'ns-finalize-put',
    ],
    [controllers]: ['deploy-after', 'pod-bound-delete'],
  },
  generatename: {
    [wording]: ['422-bad'],
  },
  dryrun: {
    [unseen]: ['create', 'put', 'patch', 'delete'],
  },
  eviction: {
    [stream]: ['evict-watch-pods', 'evict-watch-pdb'],
    [wording]: ['500-evict-two-pdbs', '429-evict-maxunavailable-0', 'evict-unready-ifhealthybudget'],
  },
  subresources: {
    [controllers]: ['put-main-status-ignored', 'status-metadata-labels-ignored', 'node-notready', 'pod-ephemeral'],
    [unseen]: ['scale-put', 'sa-token'],
  },
  negotiation: {
    [controllers]: ['yaml', 'protobuf'],
    [wording]: ['partial-wrong-kind-406'],
  },
  misc: {
    [controllers]: ['service-create'],
    [unseen]: ['namespace-create', '403-vap-denied'],
  },
  events: {
    [wording]: ['422-v1-node-wrong-namespace'],
    [unchecked]: ['422-v1-missing-fields'],
  },
  patch: {
    [unseen]: ['strategic-container-image', 'node-taint-strategic'],
    [controllers]: [
      'strategic-tolerations-atomic',
      'strategic-null-delete',
      'strategic-deleteFromPrimitiveList',
      'merge-list-replace',
      'node-taint-strategic-merge2',
    ],
  },
  apply: {
    [controllers]: ['deployment-list-item'],
  },
  tables: {
    [rows]: [
      'pods',
      'nodes',
      'deployments',
      'replicasets',
      'daemonsets',
      'statefulsets',
      'jobs',
      'cronjobs',
      'pdbs',
      'events',
      'services',
      'configmaps',
      'namespaces',
      'serviceaccounts',
      'pvcs',
      'leases',
      'endpointslices',
      'crds',
      'priorityclasses',
      'clusterroles',
      'widgets',
      'plains',
      'multis',
      'controllerrevisions',
      'apiservices',
      'pod-single',
      'pods-includeobject-none',
      'pods-includeobject-object',
      'pods-limit-continue',
      'pods-v1beta1',
      'widget-single',
    ],
    [stream]: ['pods-watch', 'widgets-watch'],
  },
  discovery: {
    [build]: [
      'version',
      'root',
      'api',
      'apis-aggregated-v2-304',
      'apis-admissionregistration.k8s.io-v1',
      'apis-apiextensions.k8s.io-v1',
      'readyz-verbose',
      'anonymous-version',
    ],
  },
  watch: {
    [stream]: [
      'from-list-rv',
      'label-selector',
      'field-selector-name',
      'no-rv',
      'rv0',
      'table',
      'partial',
      'old-path',
      'old-path-single',
      'all-namespaces',
      'watchlist',
      'bookmarks-timeout',
      'replay-older-rv',
      'timeout-1s',
      'limit-ignored',
      'namespace-deletion-watch',
      'bookmark-periodic',
    ],
    [wording]: ['yaml-accept'],
  },
  authreview: {
    [controllers]: ['tokenreview-sa'],
  },
};
