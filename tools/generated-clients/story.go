// The story of the README, with a client that OpenAPI Generator makes for Go.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	client "example.com/pricebook/client"
)

func check(ok bool, what string) {
	if !ok {
		panic(what)
	}
}

func must[T any](value T, _ any, err error) T {
	if err != nil {
		var answer *client.GenericOpenAPIError
		if errors.As(err, &answer) {
			err = fmt.Errorf("%w: %s", err, answer.Body())
		}
		panic(err)
	}
	return value
}

func problemOf(err error) string {
	var answer *client.GenericOpenAPIError
	check(errors.As(err, &answer), "not an error of the API")
	switch problem := answer.Model().(type) {
	case client.PriceBookNotFoundProblem:
		return problem.Type
	case client.PriceBookNotFoundOrNoPriceProblem:
		return problem.Type
	}
	return fmt.Sprintf("%T", answer.Model())
}

func override(productId string, amount float64) client.ProductItem {
	adjustment := client.OverrideAdjustmentAsRequestedAdjustment(client.NewOverrideAdjustment("override", amount))
	item := *client.NewProductItem(productId)
	item.SetAdjustments(map[string]client.RequestedAdjustments{"USD": {RequestedAdjustment: &adjustment}})
	return item
}

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Getenv("PRICEBOOK_URL")}}
	keys := map[string]client.APIKey{"apiKey": {Key: os.Getenv("PRICEBOOK_KEY")}}
	ctx := context.WithValue(context.Background(), client.ContextAPIKeys, keys)
	api := client.NewAPIClient(configuration)

	book := must(api.PriceBooksAPI.CreatePriceBook(ctx).CreatePriceBook(*client.NewCreatePriceBook("Retail")).Execute()).Id

	items := []client.ProductItem{override("lamp", 49.99), override("crane", 1234567.89)}
	set := must(api.PricesAPI.SetProductPrices(ctx, book).SetProductPrices(client.ArrayOfProductItemAsSetProductPrices(&items)).Execute())
	check(set.GetProductsSet() == 2, "two products")
	price := func(productId string) client.ApiGetProductPriceRequest {
		return api.PricesAPI.GetProductPrice(ctx, book, productId, "USD")
	}
	check(must(price("crane").Execute()).Price == 1234567.89, "money arrives exactly")

	percent := client.PercentAdjustmentAsAllProductsAdjustment(client.NewPercentAdjustment("percent", 10))
	forAll := client.NewAllProducts("all", map[string]client.AllProductsAdjustmentsOrNull{"USD": {AllProductsAdjustment: &percent}})
	must(api.PricesAPI.SetProductPrices(ctx, book).SetProductPrices(client.AllProductsAsSetProductPrices(forAll)).Execute())
	lamp := must(price("lamp").Explain(true).Execute())
	check(lamp.Price == 54.99, "the percent")
	check(lamp.Explanation.Steps[0].Entered.Adjustment.OverrideAdjustment.Amount == 49.99, "the explanation")

	_, _, err := price("lamp").At(time.Now().AddDate(0, 0, -1)).Execute()
	check(problemOf(err) == "/problems/no-price", "no price yesterday")

	lines := []client.QuoteLine{*client.NewQuoteLine("crane", "USD"), *client.NewQuoteLine("seat", "USD")}
	quoted := must(api.PricesAPI.Quote(ctx, book).QuoteLine(lines).Execute())
	check(quoted[0].QuotedPrice.Price == 1358024.68, "a quoted price")
	check(quoted[1].UnpricedLine.Problem.Type == "/problems/no-price", "a line without a price")

	entries := must(api.HistoryAPI.GetPriceBookHistory(ctx, book).Execute())
	check(len(entries) == 3 && entries[2].AllProductsAdjustedEntry != nil, "the history")
	periods := must(api.HistoryAPI.GetPriceHistory(ctx, book, "crane", "USD").Execute())
	last := periods[len(periods)-1]
	check(!last.To.IsSet() || last.To.Get() == nil, "the period goes on")
	check(*last.Price.Get() == 1358024.68, "the price of the period")

	_, err = api.PricesAPI.DeletePriceBookEntries(ctx, book).RequestBody([]string{"lamp"}).Execute()
	check(err == nil, "entries are deleted")
	_, _, err = price("lamp").Execute()
	check(problemOf(err) == "/problems/no-price", "no price of what is deleted")
	_, err = api.PriceBooksAPI.DeletePriceBook(ctx, book).Execute()
	check(err == nil, "the book is deleted")
	_, _, err = api.PriceBooksAPI.GetPriceBook(ctx, book).Execute()
	check(problemOf(err) == "/problems/price-book-not-found", "no deleted book")
}
