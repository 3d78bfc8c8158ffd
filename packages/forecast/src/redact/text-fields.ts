const fieldNames = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Fields whose members have names that people give. */
export const userMaps = fieldNames(`
  labels annotations tags matchLabels nodeSelector selector parameters volumeAttributes attachmentMetadata disruptedPods
  limits requests capacity allocatable resources overhead hard used kubeReserved systemReserved evictionHard evictionSoft
  evictionSoftGracePeriod data binaryData options
`);

/** Those of them that count resources. */
export const quantityMaps = fieldNames(`
  limits requests capacity allocatable resources overhead hard used kubeReserved systemReserved evictionHard evictionSoft
`);

/** Fields that no controller reads, and in which people write what they like. */
export const opaqueFields = fieldNames(`
  image command args userData UserData description message because containerID machineID systemUUID bootID osImage
`);

/** Fields with one of a few words, a number with its unit or an instant, which an API server checks. */
export const enumFields = fieldNames(`
  resourceVersion takenAt phase effect operator whenUnsatisfiable protocol restartPolicy
  imagePullPolicy terminationMessagePolicy dnsPolicy preemptionPolicy podManagementPolicy concurrencyPolicy completionMode
  unhealthyPodEvictionPolicy reclaimPolicy persistentVolumeReclaimPolicy volumeBindingMode volumeMode accessModes
  nodeAffinityPolicy nodeTaintsPolicy qosClass internalTrafficPolicy externalTrafficPolicy ipFamilies ipFamilyPolicy
  sessionAffinity addressType whenDeleted whenScaled operatingSystem architecture arch kubeletVersion kubeProxyVersion
  schedule timeZone instanceType capacityType tenancy zone zoneId zoneID region market
  code recommendedVersion variant kubernetesVersion fieldPath expireAfter consolidateAfter terminationGracePeriod duration
  consolidationPolicy volumeType clientToken creationTimestamp deletionTimestamp lastTransitionTime lastHeartbeatTime
  amiType lifecycle transition defaultResult updateStrategy releaseVersion allocation suspended terminationPolicies
  poolState InstanceType hash lastProbeTime renewTime acquireTime startTime startedAt finishedAt lastUpdateTime status
`);

/** Fields of those that people may also fill with a text of their own, and what their public texts look like. */
export const publicForms: Readonly<Record<string, RegExp>> = {
  clientToken: /^[0-9a-f-]+$/,
  fieldPath: /^[A-Za-z.]+$/,
  terminationPolicies: /^[A-Za-z]+$/,
};
