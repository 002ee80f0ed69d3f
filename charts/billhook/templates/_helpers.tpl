{{- define "billhook.name" -}}
{{- printf "%s-billhook" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "billhook.selector" -}}
app.kubernetes.io/name: billhook
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "billhook.labels" -}}
{{ include "billhook.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "billhook.image" -}}
{{- $repository := required "image.repository must name the image in your registry, because no image is published" .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{ $repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "billhook.secretName" -}}
{{- required "existingSecret must name a Secret with DATABASE_URL and SECRET_KEY" .Values.existingSecret -}}
{{- end -}}

{{- /* The settings of every pod: no root, no writable file system except /tmp, no privileges, no token of the API. */ -}}
{{- define "billhook.pod" -}}
serviceAccountName: {{ include "billhook.name" . }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: tmp
    emptyDir:
      sizeLimit: 1Gi
{{- end -}}

{{- define "billhook.container" -}}
image: {{ include "billhook.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: ["ALL"]
volumeMounts:
  - name: tmp
    mountPath: /tmp
env:
  - name: BILLHOOK_ENV
    value: production
  - name: PORT
    value: "3000"
  {{- range $name, $value := .Values.config }}
  {{- if ne (toString $value) "" }}
  - name: {{ $name }}
    value: {{ toString $value | quote }}
  {{- end }}
  {{- end }}
envFrom:
  - secretRef:
      name: {{ include "billhook.secretName" . }}
{{- end -}}

{{- /* A service process of one role: "web" or "worker". */ -}}
{{- define "billhook.deployment" -}}
{{- $role := .role -}}
{{- $settings := index .root.Values $role -}}
{{- with .root -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "billhook.name" . }}-{{ $role }}
  labels:
    {{- include "billhook.labels" . | nindent 4 }}
    app.kubernetes.io/component: {{ $role }}
spec:
  replicas: {{ $settings.replicas }}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  selector:
    matchLabels:
      {{- include "billhook.selector" . | nindent 6 }}
      app.kubernetes.io/component: {{ $role }}
  template:
    metadata:
      labels:
        {{- include "billhook.labels" . | nindent 8 }}
        app.kubernetes.io/component: {{ $role }}
      annotations:
        # Restarts the pods after a change of the configuration.
        checksum/config: {{ toYaml .Values.config | sha256sum }}
        {{- with .Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      {{- include "billhook.pod" . | nindent 6 }}
      # After preStop (5 s) and SIGTERM, a process answers open requests and completes running tasks, in at most 30 s.
      terminationGracePeriodSeconds: 60
      containers:
        - name: {{ $role }}
          {{- include "billhook.container" . | nindent 10 }}
          command: ["node", "scripts/start.mjs", {{ $role | quote }}]
          {{- if eq $role "web" }}
          # Kubernetes removes a pod from the Service while the pod ends. Until then, the pod accepts connections. The worker is in no
          # Service. The image has no shell, and Kubernetes before version 1.30 has no action to sleep.
          lifecycle:
            preStop:
              exec:
                command: ["node", "--eval", "setTimeout(() => {}, 5_000)"]
          {{- end }}
          ports:
            - name: http
              containerPort: 3000
          startupProbe:
            httpGet: { path: /livez, port: http }
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /livez, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 2
          resources:
            {{- toYaml $settings.resources | nindent 12 }}
      {{- with $settings.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $settings.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $settings.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "billhook.name" . }}-{{ $role }}
  labels:
    {{- include "billhook.labels" . | nindent 4 }}
    app.kubernetes.io/component: {{ $role }}
spec:
  {{- toYaml $settings.podDisruptionBudget | nindent 2 }}
  selector:
    matchLabels:
      {{- include "billhook.selector" . | nindent 6 }}
      app.kubernetes.io/component: {{ $role }}
{{- end -}}
{{- end -}}
