/** Rows of the recordings that are not answered as recorded: by section, with what the difference means to a client. */
export type Differences = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

// Rows that the replay cannot judge. Clients notice nothing.
const build = 'names another build, address, generated name or set of components';
const controllers = 'shows what controllers of the recorded cluster wrote meanwhile';
const history = 'needs the history of the recorded server, which the tests of lists cover';
const rows = 'the recorded rows do not hold the objects they were made from';
const stream = 'a stream, which the tests of watches cover';
const truncated = 'the recording holds the beginning of the body only';
const unseen = 'needs objects that were made between the recorded requests and that no answer shows';

// Rows that are answered in another way, with the effect.
const rulesUnchecked =
  'types and costs of rules are not estimated when a definition is written: a bad rule is reported when it runs';
const servedAtOnce = 'a new kind is served at once: a client need not try again';
const otherOrder = 'causes come in the order of the object: a client sees the same causes';
const fewerCauses = 'rules are not run on an object of another kind: a client sees the first cause only';
const onOneLine = 'the message repeats the body on one line';
const noDifference = 'the message names the rule that forbids the change, without the difference between the pods';
const neverSlow = 'no request takes long enough for its timeout';
const tokensEnd = 'a compaction ends the tokens of all lists: a client lists again from the beginning';
const otherWords = 'the message lists the accepted media types instead of the kind';
const otherFolds = 'long lines of YAML are quoted and folded in another way';

export const knownDifferences: Differences = {
  crd: {
    [stream]: ['establish-watch', 'cr-watch', 'crd-delete-watch'],
    [unseen]: [
      'crd-delete',
      '422-cr-cel-transition',
      '422-cr-cel-optionaloldself',
      '422-ratchet-changed',
      'cr-cel-transition-unset-ok',
      'cr-status-patch',
      'multi-storage-switch',
      'ratchet-unchanged-invalid-ok',
      'crd-terminating',
      '403-cr-create-while-crd-terminating',
    ],
    [servedAtOnce]: ['429-right-after-create'],
    [build]: ['openapi-v3'],
    [otherOrder]: ['422-cr-many'],
    [fewerCauses]: ['422-cr-wrong-kind'],
    [onOneLine]: ['400-cr-no-kind'],
    [rulesUnchecked]: ['422-crd-cel-cost', '422-crd-messageexpression-cost', '422-crd-cel-compile'],
  },
  expired: {
    [stream]: [
      'after-compaction-watch-from-cache',
      'watch-too-old',
      'watch-rv-1',
      'watch-too-old-bookmarks',
      'watch-too-old-table',
    ],
    [unseen]: ['watch-cr-right-after-restart', 'watch-too-old-cr'],
    [tokensEnd]: ['after-compaction-continue-from-cache'],
  },
  errors: {
    [truncated]: ['413-too-large', '422-configmap-too-long'],
    [stream]: ['200-watch-bool'],
    [unseen]: [
      'limitrange-defaulted-pod',
      '403-limitrange-max',
      '201-fieldvalidation-ignore',
      'pod-log-no-node',
      'pod-exec-get-400',
    ],
    [controllers]: ['422-type-error-int'],
    [noDifference]: ['422-pod-put-immutable', '422-pod-update-immutable'],
    [neverSlow]: ['timeout-query-get'],
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
    [build]: ['422-bad'],
  },
  dryrun: {
    [unseen]: ['create', 'put', 'patch', 'delete'],
  },
  eviction: {
    [stream]: ['evict-watch-pods', 'evict-watch-pdb'],
    [unseen]: ['evict-unready-ifhealthybudget', '429-evict-maxunavailable-0', '500-evict-two-pdbs'],
  },
  subresources: {
    [controllers]: ['put-main-status-ignored', 'status-metadata-labels-ignored', 'node-notready'],
    [unseen]: ['scale-put', 'sa-token'],
  },
  negotiation: {
    [controllers]: ['protobuf'],
    [otherWords]: ['partial-wrong-kind-406'],
  },
  misc: {
    [controllers]: ['service-create'],
    [unseen]: ['namespace-create', '403-vap-denied'],
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
    [otherFolds]: ['yaml-accept'],
  },
  authreview: {
    [controllers]: ['tokenreview-sa'],
  },
};
