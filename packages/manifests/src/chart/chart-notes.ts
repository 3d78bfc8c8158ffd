/** What Helm prints after an installation: what to do next. */
export const chartNotes = `Nodewright {{ .Chart.AppVersion }} is installed in the namespace {{ .Release.Namespace }} for the cluster {{ .Values.settings.clusterName }}.
{{ if .Values.roleArn }}
1. The ServiceAccount {{ .Values.name }} takes the role {{ .Values.roleArn }} (IRSA).
{{- else }}
1. Give the ServiceAccount a role in AWS, unless it has one (EKS Pod Identity):

   aws eks create-pod-identity-association --cluster-name {{ .Values.settings.clusterName }} --role-arn "$ROLE_ARN" \\
     --namespace {{ .Release.Namespace }} --service-account {{ .Values.name }}
{{- end }}
   The policy of the role is what this prints:

   nodewright iam-policy --cluster-name {{ .Values.settings.clusterName }} --region {{ .Values.region | default "$AWS_REGION" }} --account-id "$ACCOUNT_ID"
{{ if not (index .Values.settings "interruptionQueue") }}
   Without settings.interruptionQueue the controller hears nothing of spot interruptions.
{{ end }}
2. See who leads, and what the controller says:

   kubectl --namespace {{ include "nodewright.leaseNamespace" . }} get lease {{ include "nodewright.leaderElectionName" . }}
   kubectl --namespace {{ .Release.Namespace }} logs --selector app.kubernetes.io/name={{ .Values.name }} --prefix

3. Apply an EC2NodeClass and a NodePool, and ask why a node or a pod is as it is:

   nodewright lint -f nodepools.yaml
   nodewright explain nodepool default

Definitions are in the folder crds of the chart. Helm installs them once and does not update them:

{{- if ne (include "nodewright.conversionWebhookPort" .) "0" }}

   nodewright crds --conversion-webhook {{ .Release.Namespace }}/{{ include "nodewright.conversionWebhookService" . }} | kubectl apply --server-side --force-conflicts -f -
{{- else }}

   nodewright crds | kubectl apply --server-side -f -
{{- end }}
`;
