/** The text of a field, `INDENT` standing for the blanks before it. */
type TemplateBlock = readonly string[];

const fieldFromValue = (field: string, value = field): TemplateBlock => [
  `INDENT{{- with .Values.${value} }}`,
  `INDENT${field}:`,
  `INDENT  {{- toYaml . | nindent DEPTH }}`,
  'INDENT{{- end }}',
];

/** Fields of the pod that are there only with some values, or whose content is made by a template. */
export const podBlocks: Readonly<Record<string, TemplateBlock>> = {
  imagePullSecrets: [
    'INDENT{{- with .Values.imagePullSecrets }}',
    'INDENTimagePullSecrets:',
    'INDENT  {{- range . }}',
    'INDENT  - name: {{ . }}',
    'INDENT  {{- end }}',
    'INDENT{{- end }}',
  ],
  priorityClassName: [
    'INDENT{{- with .Values.priorityClass }}',
    'INDENTpriorityClassName: {{ . | quote }}',
    'INDENT{{- end }}',
  ],
  nodeSelector: fieldFromValue('nodeSelector'),
  tolerations: [
    'INDENT{{- with .Values.tolerations }}',
    'INDENTtolerations:',
    'INDENT  {{- range . }}',
    'INDENT  - operator: {{ .operator | default "Equal" }}',
    'INDENT    {{- with .key }}',
    'INDENT    key: {{ . | quote }}',
    'INDENT    {{- end }}',
    'INDENT    {{- with .value }}',
    'INDENT    value: {{ . | quote }}',
    'INDENT    {{- end }}',
    'INDENT    {{- with .effect }}',
    'INDENT    effect: {{ . }}',
    'INDENT    {{- end }}',
    'INDENT  {{- end }}',
    'INDENT{{- end }}',
  ],
  env: ['INDENTenv:', 'INDENT  {{- include "nodewright.environment" . | nindent DEPTH }}'],
  ports: [
    'INDENTports:',
    'INDENT  - name: metrics',
    'INDENT    containerPort: {{ include "nodewright.metricsPort" . }}',
    'INDENT  {{- if eq (include "nodewright.probePort" .) "probes" }}',
    'INDENT  - name: probes',
    'INDENT    containerPort: {{ include "nodewright.healthProbePort" . }}',
    'INDENT  {{- end }}',
    'INDENT  {{- if ne (include "nodewright.conversionWebhookPort" .) "0" }}',
    'INDENT  - name: conversion',
    'INDENT    containerPort: {{ include "nodewright.conversionWebhookPort" . }}',
    'INDENT  {{- end }}',
  ],
  volumeMounts: [
    'INDENT{{- if .Values.certificateAuthorities.configMap }}',
    'INDENTvolumeMounts:',
    'INDENT  - name: authorities',
    'INDENT    mountPath: /etc/nodewright/authorities',
    'INDENT    readOnly: true',
    'INDENT{{- end }}',
  ],
  volumes: [
    'INDENT{{- with .Values.certificateAuthorities }}',
    'INDENT{{- if .configMap }}',
    'INDENTvolumes:',
    'INDENT  - name: authorities',
    'INDENT    configMap:',
    'INDENT      name: {{ .configMap }}',
    'INDENT      items:',
    'INDENT        - key: {{ .key }}',
    'INDENT          path: {{ .key }}',
    'INDENT{{- end }}',
    'INDENT{{- end }}',
  ],
};

/** The annotation of IRSA is there only with a role. */
export const accountBlocks: Readonly<Record<string, TemplateBlock>> = {
  annotations: [
    'INDENT{{- with .Values.roleArn }}',
    'INDENTannotations:',
    'INDENT  eks.amazonaws.com/role-arn: {{ . | quote }}',
    'INDENT{{- end }}',
  ],
};

/** The labels of a monitor are those of its values, over which its own go. */
export const monitorBlocks = (field: 'serviceMonitor' | 'podMonitor'): Readonly<Record<string, TemplateBlock>> => ({
  labels: [
    'INDENTlabels:',
    `INDENT  {{- with omit .Values.${field}.labels "app.kubernetes.io/name" }}`,
    'INDENT  {{- toYaml . | nindent DEPTH }}',
    'INDENT  {{- end }}',
    'INDENT  app.kubernetes.io/name: {{ .Values.name | quote }}',
  ],
  interval: [`INDENTinterval: {{ .Values.${field}.interval }}`],
});

/** Puts the block in the place of its field, with the blanks that are before it there. */
export const placeBlock = (block: TemplateBlock, indent: string): string =>
  block.map((line) => line.replace('INDENT', indent).replace('DEPTH', String(indent.length + 2))).join('\n');
