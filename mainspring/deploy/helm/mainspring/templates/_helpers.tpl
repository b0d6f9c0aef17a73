{{- define "mainspring.labels" -}}
app.kubernetes.io/name: mainspring
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "mainspring.selector" -}}
app.kubernetes.io/name: mainspring
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "mainspring.pod" -}}
securityContext: {runAsNonRoot: true, runAsUser: 10001, runAsGroup: 10001, fsGroup: 10001, seccompProfile: {type: RuntimeDefault}}
automountServiceAccountToken: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: [{{ range $at, $name := . }}{{ if $at }}, {{ end }}{name: {{ $name }}}{{ end }}]
{{- end }}
{{- end }}
{{- define "mainspring.container" -}}
securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
{{- end }}
{{- define "mainspring.scheme" -}}
{{ if .Values.tls.existingSecret }}https{{ else }}http{{ end }}
{{- end }}
{{- define "mainspring.database" -}}
- name: MAINSPRING_DATABASE_URL
  valueFrom: {secretKeyRef: {name: {{ required "database.existingSecret is required: PostgreSQL is not part of this chart" .Values.database.existingSecret }}, key: {{ .Values.database.key }}}}
{{- end }}
{{- define "mainspring.seconds" -}}
{{- if hasSuffix "m" . }}{{ mul (trimSuffix "m" . | int) 60 }}{{ else }}{{ trimSuffix "s" . | int }}{{ end }}
{{- end }}
{{- /* The key of the token that only reads: of a viewer, or the admin's where none is named. */ -}}
{{- define "mainspring.viewer" -}}
{{ .Values.secrets.viewerToken | default .Values.secrets.apiToken }}
{{- end }}
{{- /* Where a process runs: a name, or the value of a label of its pod; empty where the pod has none. */ -}}
{{- define "mainspring.zone" -}}
{{- if kindIs "map" . }}valueFrom: {fieldRef: {fieldPath: "metadata.labels['{{ .fromPodLabel }}']"}}{{ else }}value: {{ . | default "" | quote }}{{ end }}
{{- end }}
