import { partitionOfRegion } from '@nodewright/apis';
import type { SettingCatalogue } from '../values/setting-values.ts';
import type { InstallValues } from '../values/install-values.ts';
import { readInstallValues } from '../values/read-values.ts';

/**
 * Values with everything that can be switched on, and with a word in each place that a template fills. They are valid, so
 * the objects made from them are those of an installation.
 */
export function readSymbolicValues(catalogue: SettingCatalogue): InstallValues {
  const monitor = { create: true, interval: '987654s', labels: { 'zz-label': 'zz' } };
  const { values, complaints } = readInstallValues(
    {
      name: 'zz-name',
      namespace: 'zz-namespace',
      image: 'zz-image:zz',
      imagePullSecrets: ['zz-secret'],
      replicas: 987_651,
      region: '',
      roleArn: `arn:${partitionOfRegion('').name}:iam::999999999999:role/zz-role`,
      settings: {
        clusterName: 'zz-cluster',
        metricsPort: 9871,
        healthProbePort: 9872,
        conversionWebhookPort: 9873,
        conversionWebhookService: 'zz-conversion',
        leaderElectionName: 'zz-lease',
        leaderElectionNamespace: 'zz-place-of-lease',
      },
      certificateAuthorities: { configMap: 'zz-authorities', key: 'zz-key' },
      resources: { cpu: '987652m', memory: '987653Mi' },
      priorityClass: 'zz-priority',
      nodeSelector: { 'zz-selector': 'zz' },
      tolerations: [{ key: 'zz-toleration', operator: 'Exists' }],
      serviceMonitor: monitor,
      podMonitor: monitor,
    },
    catalogue,
  );
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  return values;
}

/** What stands for each word of the symbolic values in a template. A word that is a whole value gets quotes. */
export const templateExpressions: readonly (readonly [word: RegExp, expression: string])[] = [
  [/(?<=: |- )zz-name$/gm, '{{ .Values.name | quote }}'],
  [/zz-name(?=-)/g, '{{ .Values.name }}'],
  [/(?<=: |- )zz-namespace$/gm, '{{ .Release.Namespace }}'],
  [/zz-image:zz/g, '{{ .Values.image | quote }}'],
  [/\b987651\b/g, '{{ .Values.replicas }}'],
  [/zz-place-of-lease/g, '{{ include "nodewright.leaseNamespace" . }}'],
  [/zz-lease/g, '{{ include "nodewright.leaderElectionName" . | quote }}'],
  [/zz-conversion/g, '{{ include "nodewright.conversionWebhookService" . | quote }}'],
  [/\b9871\b/g, '{{ include "nodewright.metricsPort" . }}'],
  [/987652m/g, '{{ .Values.resources.cpu | quote }}'],
  [/987653Mi/g, '{{ .Values.resources.memory | quote }}'],
  [/(?<=port: )probes$/gm, '{{ include "nodewright.probePort" . }}'],
];
