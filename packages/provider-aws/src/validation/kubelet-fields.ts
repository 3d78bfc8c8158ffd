/** What the kubelet reads a member of its configuration as. */
export type FieldType =
  | 'text'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'duration'
  | { readonly listOf: FieldType }
  | { readonly mapOf: FieldType }
  | { readonly members: Readonly<Record<string, FieldType>> };

const textListField: FieldType = { listOf: 'text' };
const textByName: FieldType = { mapOf: 'text' };
const enabled: FieldType = { members: { enabled: 'boolean' } };

const namedMembers = (type: FieldType, names: string): Readonly<Record<string, FieldType>> =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, type]));

const logFormat: Readonly<Record<string, FieldType>> = { splitStream: 'boolean', infoBufferSize: 'text' };

const nested: Readonly<Record<string, FieldType>> = {
  authentication: {
    members: {
      x509: { members: { clientCAFile: 'text' } },
      webhook: { members: { enabled: 'boolean', cacheTTL: 'duration' } },
      anonymous: enabled,
    },
  },
  authorization: {
    members: {
      mode: 'text',
      webhook: { members: { cacheAuthorizedTTL: 'duration', cacheUnauthorizedTTL: 'duration' } },
    },
  },
  crashLoopBackOff: { members: { maxContainerRestartPeriod: 'duration' } },
  logging: {
    members: {
      format: 'text',
      flushFrequency: 'duration',
      verbosity: 'integer',
      vmodule: { listOf: { members: { filePattern: 'text', verbosity: 'integer' } } },
      options: { members: { text: { members: logFormat }, json: { members: logFormat } } },
    },
  },
  memorySwap: { members: { swapBehavior: 'text' } },
  registerWithTaints: {
    listOf: { members: { key: 'text', value: 'text', effect: 'text', timeAdded: 'text' } },
  },
  reservedMemory: { listOf: { members: { numaNode: 'integer', limits: { mapOf: 'text' } } } },
  shutdownGracePeriodByPodPriority: {
    listOf: { members: { priority: 'integer', shutdownGracePeriodSeconds: 'integer' } },
  },
  staticPodURLHeader: { mapOf: textListField },
  tracing: { members: { endpoint: 'text', samplingRatePerMillion: 'integer' } },
  userNamespaces: { members: { idsPerPod: 'integer' } },
};

/**
 * The members of a `KubeletConfiguration` of `kubelet.config.k8s.io/v1beta1`.
 * @see https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/
 */
export const kubeletFields: Readonly<Record<string, FieldType>> = {
  ...nested,
  ...namedMembers(
    'text',
    `apiVersion kind address cgroupDriver cgroupRoot clusterDomain configMapAndSecretChangeDetectionStrategy
    containerLogMaxSize containerRuntimeEndpoint contentType cpuManagerPolicy hairpinMode healthzBindAddress
    imagePullCredentialsVerificationPolicy imageServiceEndpoint kubeReservedCgroup kubeletCgroups
    memoryManagerPolicy podCIDR podLogsDir providerID reservedSystemCPUs resolvConf showHiddenMetricsForVersion
    staticPodPath staticPodURL systemCgroups systemReservedCgroup tlsCertFile tlsMinVersion tlsPrivateKeyFile
    topologyManagerPolicy topologyManagerScope volumePluginDir`,
  ),
  ...namedMembers(
    'boolean',
    `cgroupsPerQOS cpuCFSQuota enableContentionProfiling enableControllerAttachDetach enableDebugFlagsHandler
    enableDebuggingHandlers enableProfilingHandler enableServer enableSystemLogHandler enableSystemLogQuery
    failCgroupV1 failSwapOn kernelMemcgNotification localStorageCapacityIsolation makeIPTablesUtilChains
    mergeDefaultEvictionSettings protectKernelDefaults registerNode rotateCertificates runOnce seccompDefault
    serializeImagePulls serverTLSBootstrap singleProcessOOMKill`,
  ),
  ...namedMembers(
    'integer',
    `containerLogMaxFiles containerLogMaxWorkers eventBurst eventRecordQPS evictionMaxPodGracePeriod healthzPort
    imageGCHighThresholdPercent imageGCLowThresholdPercent iptablesDropBit iptablesMasqueradeBit kubeAPIBurst
    kubeAPIQPS maxOpenFiles maxParallelImagePulls maxPods nodeLeaseDurationSeconds nodeStatusMaxImages oomScoreAdj
    podPidsLimit podsPerCore port readOnlyPort registryBurst registryPullQPS`,
  ),
  ...namedMembers('number', 'memoryThrottlingFactor'),
  ...namedMembers(
    'duration',
    `containerLogMonitorInterval cpuCFSQuotaPeriod cpuManagerReconcilePeriod evictionPressureTransitionPeriod
    fileCheckFrequency httpCheckFrequency imageMaximumGCAge imageMinimumGCAge nodeStatusReportFrequency
    nodeStatusUpdateFrequency runtimeRequestTimeout shutdownGracePeriod shutdownGracePeriodCriticalPods
    streamingConnectionIdleTimeout syncFrequency volumeStatsAggPeriod`,
  ),
  ...namedMembers(
    textListField,
    'allowedUnsafeSysctls clusterDNS enforceNodeAllocatable preloadedImagesVerificationAllowlist tlsCipherSuites',
  ),
  ...namedMembers(
    textByName,
    `cpuManagerPolicyOptions evictionHard evictionMinimumReclaim evictionSoft evictionSoftGracePeriod kubeReserved
    qosReserved systemReserved topologyManagerPolicyOptions`,
  ),
  featureGates: { mapOf: 'boolean' },
};

/** What Karpenter itself understands: the rest is for the kubelet alone. */
export const managedFields: ReadonlySet<string> = new Set([
  'clusterDNS',
  'maxPods',
  'podsPerCore',
  'systemReserved',
  'kubeReserved',
  'evictionHard',
  'evictionSoft',
  'evictionSoftGracePeriod',
  'evictionMaxPodGracePeriod',
  'imageGCHighThresholdPercent',
  'imageGCLowThresholdPercent',
  'cpuCFSQuota',
]);
