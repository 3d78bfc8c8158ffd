import { type ObjectRefusal, containerPatch, specPatch } from './valid-objects.ts';

/** New pods, and objects that make pods. */
export const refusedWorkloads: readonly ObjectRefusal[] = [
  ...(
    [
      ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
      ['60 * * * *', 'end of range (60) above maximum (59): 60'],
      ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
      ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
      ['*/0 * * * *', 'step of range should be a positive number: */0'],
      ['a * * * *', 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
      ['@often', 'unrecognized descriptor: @often'],
    ] as const
  ).map(([schedule, problem]): ObjectRefusal => [
    'cronJob',
    specPatch({ schedule }),
    `spec.schedule: Invalid value: ${JSON.stringify(schedule)}: ${problem}`,
  ]),
  [
    'cronJob',
    specPatch({ schedule: 'TZ=UTC 0 * * * *' }),
    'spec.schedule: Invalid value: "TZ=UTC 0 * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
  ],
  [
    'cronJob',
    specPatch({ timeZone: 'Mars/Base' }),
    'spec.timeZone: Invalid value: "Mars/Base": unknown time zone Mars/Base',
  ],
  [
    'cronJob',
    specPatch({ concurrencyPolicy: 'Queue' }),
    'spec.concurrencyPolicy: Unsupported value: "Queue": supported values: "Allow", "Forbid", "Replace"',
  ],
  [
    'cronJob',
    specPatch({ jobTemplate: { spec: { template: { spec: { restartPolicy: 'Always' } } } } }),
    'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
  ],
  ['job', specPatch({ backoffLimit: -1 }), 'spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0'],
  [
    'job',
    specPatch({ completionMode: 'Indexed', completions: null, parallelism: 1 }),
    'spec.completions: Required value: when completion mode is Indexed',
  ],

  [
    'deployment',
    specPatch({ strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
    "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
  ],
  [
    'deployment',
    specPatch({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } }),
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0',
  ],
  [
    'deployment',
    specPatch({ minReadySeconds: 600 }),
    'spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds',
  ],
  [
    'deployment',
    specPatch({ template: { spec: { restartPolicy: 'Never' } } }),
    'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
  ],
  [
    'daemonSet',
    specPatch({ updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } }),
    'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
  ],
  [
    'statefulSet',
    specPatch({ podManagementPolicy: 'Some' }),
    "spec.podManagementPolicy: Invalid value: \"Some\": must be 'OrderedReady' or 'Parallel'",
  ],
  [
    'statefulSet',
    specPatch({ updateStrategy: { rollingUpdate: { partition: -1 } } }),
    'spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0',
  ],

  [
    'pod',
    specPatch({ volumes: [{ name: 'v' }, { name: 'v', emptyDir: {} }] }),
    'spec.volumes[1].name: Duplicate value: "v"',
  ],
  [
    'pod',
    containerPatch({ env: [{ name: '' }, { name: 'A', valueFrom: {} }] }),
    'spec.containers[0].env[0].name: Required value',
    'spec.containers[0].env[1].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
  ],
  [
    'pod',
    containerPatch({ livenessProbe: { successThreshold: 2, exec: { command: [] } } }),
    'spec.containers[0].livenessProbe.exec.command: Required value',
    'spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1',
  ],
  [
    'pod',
    containerPatch({ resources: { requests: { gpu: '1' } } }),
    'spec.containers[0].resources.requests[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified',
    'spec.containers[0].resources.requests[gpu]: Invalid value: "gpu": must be a standard resource for containers',
  ],
  [
    'pod',
    containerPatch({ resources: { requests: { 'example.com/gpu': '1' } } }),
    'spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
  ],
  [
    'pod',
    containerPatch({ ports: [{ containerPort: 80, hostPort: 90000 }] }),
    'spec.containers[0].ports[0].hostPort: Invalid value: 90000: must be between 1 and 65535, inclusive',
  ],
  [
    'pod',
    containerPatch({ securityContext: { runAsUser: -1 } }),
    'spec.containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
  ],
  [
    'pod',
    specPatch({
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
    }),
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
  ],
  [
    'pod',
    specPatch({
      affinity: {
        podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, podAffinityTerm: {} }] },
      },
    }),
    'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100',
    'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey: Required value: can not be empty',
    'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey: Invalid value: "": name part must be non-empty',
    `spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
  [
    'pod',
    specPatch({ topologySpreadConstraints: [{ maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'Hope' }] }),
    'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
    'spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty',
    'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "Hope": supported values: "DoNotSchedule", "ScheduleAnyway"',
  ],
  [
    'pod',
    specPatch({ activeDeadlineSeconds: 0 }),
    'spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
  ],
  [
    'pod',
    specPatch({ schedulingGates: [{ name: 'a' }, { name: 'a' }] }),
    'spec.schedulingGates[1]: Duplicate value: "a"',
  ],
];
