{{- define "nodewright.text" -}}
{{- if and (kindIs "float64" .) (eq (float64 (int64 .)) .) }}{{ int64 . }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{- define "nodewright.metricsPort" -}}
{{- $value := index .Values.settings "metricsPort" }}
{{- if kindIs "invalid" $value }}8080{{ else }}{{ include "nodewright.text" $value }}{{ end }}
{{- end }}

{{- define "nodewright.healthProbePort" -}}
{{- $value := index .Values.settings "healthProbePort" }}
{{- if kindIs "invalid" $value }}8081{{ else }}{{ include "nodewright.text" $value }}{{ end }}
{{- end }}

{{- define "nodewright.uiPort" -}}
{{- $value := index .Values.settings "uiPort" }}
{{- if kindIs "invalid" $value }}0{{ else }}{{ include "nodewright.text" $value }}{{ end }}
{{- end }}

{{- define "nodewright.conversionWebhookPort" -}}
{{- $value := index .Values.settings "conversionWebhookPort" }}
{{- if kindIs "invalid" $value }}0{{ else }}{{ include "nodewright.text" $value }}{{ end }}
{{- end }}

{{- define "nodewright.conversionWebhookService" -}}
{{- $value := index .Values.settings "conversionWebhookService" }}
{{- if kindIs "invalid" $value }}karpenter-conversion{{ else }}{{ include "nodewright.text" $value }}{{ end }}
{{- end }}

{{- define "nodewright.leaderElectionName" -}}
{{- $value := index .Values.settings "leaderElectionName" }}
{{- if kindIs "invalid" $value }}karpenter-leader-election{{ else }}{{ include "nodewright.text" $value }}{{ end }}
{{- end }}

{{- define "nodewright.probePort" -}}
{{- if eq (include "nodewright.metricsPort" .) (include "nodewright.healthProbePort" .) }}metrics{{ else }}probes{{ end }}
{{- end }}

{{- define "nodewright.leaseNamespace" -}}
{{- index .Values.settings "leaderElectionNamespace" | default .Release.Namespace }}
{{- end }}

{{- define "nodewright.cpuMillis" -}}
{{- $cpu := toString .Values.resources.cpu }}
{{- if hasSuffix "m" $cpu }}{{ trimSuffix "m" $cpu }}{{ else }}{{ mulf (float64 (trimSuffix "k" $cpu)) (ternary 1000000.0 1000.0 (hasSuffix "k" $cpu)) | int64 }}{{ end }}
{{- end }}

{{- define "nodewright.environment" -}}
{{- $values := .Values }}
{{- range $pair := list (list "clusterName" "CLUSTER_NAME") (list "clusterEndpoint" "CLUSTER_ENDPOINT") (list "clusterCaBundle" "CLUSTER_CA_BUNDLE") (list "isolatedVpc" "ISOLATED_VPC") (list "eksControlPlane" "EKS_CONTROL_PLANE") (list "vmMemoryOverheadPercent" "VM_MEMORY_OVERHEAD_PERCENT") (list "interruptionQueue" "INTERRUPTION_QUEUE") (list "reservedEnis" "RESERVED_ENIS") (list "disableDryRun" "DISABLE_DRY_RUN") (list "enableZonalShift" "ENABLE_ZONAL_SHIFT") (list "amiRefreshInterval" "AMI_REFRESH_INTERVAL") (list "subnetRefreshInterval" "SUBNET_REFRESH_INTERVAL") (list "awsFeatureGates" "AWS_FEATURE_GATES") (list "karpenterService" "KARPENTER_SERVICE") (list "metricsPort" "METRICS_PORT") (list "healthProbePort" "HEALTH_PROBE_PORT") (list "uiPort" "UI_PORT") (list "uiAddress" "UI_ADDRESS") (list "uiAllowedHosts" "UI_ALLOWED_HOSTS") (list "debugPort" "DEBUG_PORT") (list "conversionWebhookPort" "CONVERSION_WEBHOOK_PORT") (list "conversionWebhookService" "CONVERSION_WEBHOOK_SERVICE") (list "kubeClientQps" "KUBE_CLIENT_QPS") (list "kubeClientBurst" "KUBE_CLIENT_BURST") (list "enableProfiling" "ENABLE_PROFILING") (list "disableControllerWarmup" "DISABLE_CONTROLLER_WARMUP") (list "disableLeaderElection" "DISABLE_LEADER_ELECTION") (list "disableClusterStateObservability" "DISABLE_CLUSTER_STATE_OBSERVABILITY") (list "leaderElectionName" "LEADER_ELECTION_NAME") (list "leaderElectionNamespace" "LEADER_ELECTION_NAMESPACE") (list "traceRequests" "TRACE_REQUESTS") (list "memoryLimit" "MEMORY_LIMIT") (list "cpuRequests" "CPU_REQUESTS") (list "logLevel" "LOG_LEVEL") (list "logOutputPaths" "LOG_OUTPUT_PATHS") (list "logErrorOutputPaths" "LOG_ERROR_OUTPUT_PATHS") (list "batchMaxDuration" "BATCH_MAX_DURATION") (list "batchIdleDuration" "BATCH_IDLE_DURATION") (list "preferencePolicy" "PREFERENCE_POLICY") (list "minValuesPolicy" "MIN_VALUES_POLICY") (list "ignoreDraRequests" "IGNORE_DRA_REQUESTS") (list "featureGates" "FEATURE_GATES") (list "schedulerConfig" "SCHEDULER_CONFIG") }}
{{- $value := index $values.settings (first $pair) }}
{{- if not (kindIs "invalid" $value) }}
- name: {{ last $pair }}
  value: {{ include "nodewright.text" $value | quote }}
{{- end }}
{{- end }}
{{- $millis := include "nodewright.cpuMillis" . }}
{{- if and (kindIs "invalid" (index .Values.settings "cpuRequests")) (ne $millis "1000") }}
- name: CPU_REQUESTS
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
  value: {{ join "," (concat (list "$(KUBERNETES_SERVICE_HOST)" "169.254.170.23" "fd00:ec2::23" "169.254.169.254" "fd00:ec2::254") (compact (splitList "," .Values.proxy.except))) | quote }}
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

{{- define "nodewright.check" -}}
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
{{- $fields := dict "CLUSTER_NAME" "settings.clusterName" "CLUSTER_ENDPOINT" "settings.clusterEndpoint" "CLUSTER_CA_BUNDLE" "settings.clusterCaBundle" "ISOLATED_VPC" "settings.isolatedVpc" "EKS_CONTROL_PLANE" "settings.eksControlPlane" "VM_MEMORY_OVERHEAD_PERCENT" "settings.vmMemoryOverheadPercent" "INTERRUPTION_QUEUE" "settings.interruptionQueue" "RESERVED_ENIS" "settings.reservedEnis" "DISABLE_DRY_RUN" "settings.disableDryRun" "ENABLE_ZONAL_SHIFT" "settings.enableZonalShift" "AMI_REFRESH_INTERVAL" "settings.amiRefreshInterval" "SUBNET_REFRESH_INTERVAL" "settings.subnetRefreshInterval" "AWS_FEATURE_GATES" "settings.awsFeatureGates" "KARPENTER_SERVICE" "settings.karpenterService" "METRICS_PORT" "settings.metricsPort" "HEALTH_PROBE_PORT" "settings.healthProbePort" "UI_PORT" "settings.uiPort" "UI_ADDRESS" "settings.uiAddress" "UI_ALLOWED_HOSTS" "settings.uiAllowedHosts" "DEBUG_PORT" "settings.debugPort" "CONVERSION_WEBHOOK_PORT" "settings.conversionWebhookPort" "CONVERSION_WEBHOOK_SERVICE" "settings.conversionWebhookService" "KUBE_CLIENT_QPS" "settings.kubeClientQps" "KUBE_CLIENT_BURST" "settings.kubeClientBurst" "ENABLE_PROFILING" "settings.enableProfiling" "DISABLE_CONTROLLER_WARMUP" "settings.disableControllerWarmup" "DISABLE_LEADER_ELECTION" "settings.disableLeaderElection" "DISABLE_CLUSTER_STATE_OBSERVABILITY" "settings.disableClusterStateObservability" "LEADER_ELECTION_NAME" "settings.leaderElectionName" "LEADER_ELECTION_NAMESPACE" "settings.leaderElectionNamespace" "TRACE_REQUESTS" "settings.traceRequests" "MEMORY_LIMIT" "settings.memoryLimit" "CPU_REQUESTS" "settings.cpuRequests" "LOG_LEVEL" "settings.logLevel" "LOG_OUTPUT_PATHS" "settings.logOutputPaths" "LOG_ERROR_OUTPUT_PATHS" "settings.logErrorOutputPaths" "BATCH_MAX_DURATION" "settings.batchMaxDuration" "BATCH_IDLE_DURATION" "settings.batchIdleDuration" "PREFERENCE_POLICY" "settings.preferencePolicy" "MIN_VALUES_POLICY" "settings.minValuesPolicy" "IGNORE_DRA_REQUESTS" "settings.ignoreDraRequests" "FEATURE_GATES" "settings.featureGates" "SCHEDULER_CONFIG" "settings.schedulerConfig" "AWS_REGION" "region" "HTTPS_PROXY" "proxy.https" "HTTP_PROXY" "proxy.http" "NO_PROXY" "proxy.except" "NODE_EXTRA_CA_CERTS" "certificateAuthorities.configMap" }}
{{- range $name := keys .Values.environment | sortAlpha }}
{{- with index $fields $name }}
{{- fail (printf "environment.%s: is written as %s" $name .) }}
{{- end }}
{{- end }}
{{- end }}
