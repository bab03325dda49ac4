throw new Error(
  '@tollgate/node holds your secret key, so it belongs into your backend. Import it from server code only; the page needs nothing but widget.js.',
)
