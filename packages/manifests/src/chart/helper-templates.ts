import type { SettingCatalogue } from '../values/setting-values.ts';
import { addressesBesideProxies } from '../objects/environment.ts';

/** `_helpers.tpl`: what several templates of the chart need. */
export const buildHelperTemplates = (catalogue: SettingCatalogue): string =>
  [
    textTemplate,
    settingTemplate('metricsPort', catalogue),
    settingTemplate('healthProbePort', catalogue),
    settingTemplate('uiPort', catalogue),
    settingTemplate('conversionWebhookPort', catalogue),
    settingTemplate('conversionWebhookService', catalogue),
    settingTemplate('leaderElectionName', catalogue),
    probePortTemplate,
    leaseNamespaceTemplate,
    millisTemplate,
    environmentTemplate(catalogue),
    checkTemplate(catalogue),
  ].join('\n');

/** YAML makes floating-point numbers of whole ones; large ones would get an exponent. */
const textTemplate = `{{- define "nodewright.text" -}}
{{- if and (kindIs "float64" .) (eq (float64 (int64 .)) .) }}{{ int64 . }}{{ else }}{{ . }}{{ end }}
{{- end }}
`;

const settingTemplate = (name: string, { defaultOf }: SettingCatalogue): string =>
  `{{- define "nodewright.${name}" -}}
{{- $value := index .Values.settings "${name}" }}
{{- if kindIs "invalid" $value }}${defaultOf(name)}{{ else }}{{ include "nodewright.text" $value }}{{ end }}
{{- end }}
`;

/** Metrics and probes may share a port. */
const probePortTemplate = `{{- define "nodewright.probePort" -}}
{{- if eq (include "nodewright.metricsPort" .) (include "nodewright.healthProbePort" .) }}metrics{{ else }}probes{{ end }}
{{- end }}
`;

const leaseNamespaceTemplate = `{{- define "nodewright.leaseNamespace" -}}
{{- index .Values.settings "leaderElectionNamespace" | default .Release.Namespace }}
{{- end }}
`;

const millisTemplate = `{{- define "nodewright.cpuMillis" -}}
{{- $cpu := toString .Values.resources.cpu }}
{{- if hasSuffix "m" $cpu }}{{ trimSuffix "m" $cpu }}{{ else }}{{ mulf (float64 (trimSuffix "k" $cpu)) (ternary 1000000.0 1000.0 (hasSuffix "k" $cpu)) | int64 }}{{ end }}
{{- end }}
`;

const pairsOf = ({ names, variableOf }: SettingCatalogue): string =>
  names.map((name) => `(list "${name}" "${variableOf(name)}")`).join(' ');

/** The environment of the controller, in the order of \`nodewright manifests\`. */
const environmentTemplate = (catalogue: SettingCatalogue): string => `{{- define "nodewright.environment" -}}
{{- $values := .Values }}
{{- range $pair := list ${pairsOf(catalogue)} }}
{{- $value := index $values.settings (first $pair) }}
{{- if not (kindIs "invalid" $value) }}
- name: {{ last $pair }}
  value: {{ include "nodewright.text" $value | quote }}
{{- end }}
{{- end }}
{{- $millis := include "nodewright.cpuMillis" . }}
{{- if and (kindIs "invalid" (index .Values.settings "cpuRequests")) (ne $millis "${catalogue.defaultOf('cpuRequests')}") }}
- name: ${catalogue.variableOf('cpuRequests')}
  value: {{ $millis | quote }}
{{- end }}
{{- with .Values.region }}
- name: AWS_REGION
  value: {{ . | quote }}
{{- end }}
{{- with .Values.proxy.https }}
- name: HTTPS_PROXY
  value: {{ . | quote }}
{{- end }}
{{- with .Values.proxy.http }}
- name: HTTP_PROXY
  value: {{ . | quote }}
{{- end }}
{{- if or .Values.proxy.https .Values.proxy.http }}
- name: NO_PROXY
  value: {{ join "," (concat (list ${addressesBesideProxies.map((each) => `"${each}"`).join(' ')}) (compact (splitList "," .Values.proxy.except))) | quote }}
{{- end }}
{{- if .Values.certificateAuthorities.configMap }}
- name: NODE_EXTRA_CA_CERTS
  value: {{ printf "/etc/nodewright/authorities/%s" .Values.certificateAuthorities.key | quote }}
{{- end }}
- name: NODE_OPTIONS
  value: {{ index .Values.environment "NODE_OPTIONS" | default "--v8-pool-size=1" | quote }}
{{- range $name, $value := omit .Values.environment "NODE_OPTIONS" }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
`;

const variablesWithFields = (catalogue: SettingCatalogue): string =>
  [
    ...catalogue.names.map((name) => [catalogue.variableOf(name), `settings.${name}`]),
    ['AWS_REGION', 'region'],
    ['HTTPS_PROXY', 'proxy.https'],
    ['HTTP_PROXY', 'proxy.http'],
    ['NO_PROXY', 'proxy.except'],
    ['NODE_EXTRA_CA_CERTS', 'certificateAuthorities.configMap'],
  ]
    .map(([variable, field]) => `"${variable}" "${field}"`)
    .join(' ');

/** What a schema cannot say, in the words of \`nodewright manifests\`. */
const checkTemplate = (catalogue: SettingCatalogue): string => `{{- define "nodewright.check" -}}
{{- if not .Values.image }}
{{- fail "image: is required: an image with a tag or a digest, such as registry.example.com/nodewright:0.1.0" }}
{{- end }}
{{- if not .Values.settings.clusterName }}
{{- fail "settings.clusterName: is required: the name of the EKS cluster" }}
{{- end }}
{{- range $name := list "metricsPort" "healthProbePort" }}
{{- if eq (include (printf "nodewright.%s" $name) $) "0" }}
{{- fail (printf "settings.%s: must be a port from 1 to 65535, because probes and the Service have to know it" $name) }}
{{- end }}
{{- end }}
{{- $alone := index .Values.settings "disableLeaderElection" | toString | lower }}
{{- if and (has $alone (list "1" "t" "true")) (gt (int .Values.replicas) 1) }}
{{- fail (printf "replicas: must be 1 with settings.disableLeaderElection, not %d: each of them would lead" (int .Values.replicas)) }}
{{- end }}
{{- if and .Values.roleArn (not .Values.createServiceAccount) }}
{{- fail "roleArn: has no effect with createServiceAccount: false; annotate the ServiceAccount that exists" }}
{{- end }}
{{- $fields := dict ${variablesWithFields(catalogue)} }}
{{- range $name := keys .Values.environment | sortAlpha }}
{{- with index $fields $name }}
{{- fail (printf "environment.%s: is written as %s" $name .) }}
{{- end }}
{{- end }}
{{- end }}
`;
