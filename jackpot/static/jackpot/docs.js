"use strict";

// The validator badge would ask another host; a staff session's calls need the CSRF token.
const csrfToken = () => (document.cookie.match(/(?:^|;\s*)csrftoken=([^;]+)/) || [])[1];

SwaggerUIBundle({
  url: document.getElementById("docs").dataset.schema,
  dom_id: "#docs",
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: true,
  validatorUrl: null,
  requestInterceptor: (request) => {
    if (request.method && request.method !== "GET" && csrfToken()) {
      request.headers["X-CSRFToken"] = csrfToken();
    }
    return request;
  },
});
