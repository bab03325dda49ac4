// Runs in every page before the page's own scripts, and keeps what a test asks about afterwards.
window.recorder = { events: [], frames: 0 }

for (const name of ['ready', 'progress', 'solved', 'expired', 'error']) {
  const keep = ({ detail }) => window.recorder.events.push({ name, frame: window.recorder.frames, ...detail })
  window.addEventListener(`svc-captcha:${name}`, keep)
}

requestAnimationFrame(function count() {
  window.recorder.frames += 1
  requestAnimationFrame(count)
})
